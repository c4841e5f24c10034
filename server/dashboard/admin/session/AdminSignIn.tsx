import { t } from '../../../../shared/i18n/translate.ts';
import { Form } from '../../../../shared/ui/Form.tsx';
import { InputField } from '../../../../shared/ui/InputField.tsx';
import { Username } from '../../../../shared/ui/Username.tsx';
import { ContinueAs } from '../../session/ContinueAs.tsx';
import type { AdminSignOutReason } from './admin-session.ts';
import type { AdminSignInState } from './admin-sign-in.ts';

const REASONS = {
  by_user: 'signed_out_by_user',
  expired: 'admin_expired',
} as const satisfies Record<AdminSignOutReason, string>;

export type AdminSignInProps = { state: AdminSignInState; reason: AdminSignOutReason | undefined };

/** Asks for `ADMIN_TOKEN`, below the sign-in of an administrator whom the proxy knows. */
export function AdminSignIn({ state, reason }: AdminSignInProps) {
  return (
    <section class="card" aria-labelledby="page-heading">
      <p role="status" class="note">
        {reason && t(REASONS[reason])}
      </p>
      <ContinueAs state={state.singleSignOn} />
      <Form class="rows" onSubmit={state.submit}>
        <Username name="ADMIN_TOKEN" />
        <InputField
          label={t('admin_token')}
          hint={t('admin_token_hint')}
          issue={state.issue.value}
          class="input mono"
          type="password"
          name="admin-token"
          isCode
          value={state.token.value}
          onInput={(event) => state.enter(event.currentTarget.value)}
          autocomplete="current-password"
        />
        <div class="buttons">
          <button type="submit" class="button primary" aria-disabled={state.isBusy.value}>
            {t(state.isBusy.value ? 'sign_in_busy' : 'sign_in')}
          </button>
        </div>
      </Form>
    </section>
  );
}
