import { useEffect } from 'preact/hooks';
import { t } from '../../../../shared/i18n/translate.ts';
import { InputField } from '../../../../shared/ui/InputField.tsx';
import type { AdminSignOutReason } from './admin-session.ts';
import type { AdminSignInState } from './admin-sign-in.ts';

const REASONS = {
  by_user: 'signed_out_by_user',
  expired: 'admin_expired',
} as const satisfies Record<AdminSignOutReason, string>;

export type AdminSignInProps = { state: AdminSignInState; reason: AdminSignOutReason | undefined };

/** Asks for `ADMIN_TOKEN`, below the sign-in of an administrator whom the proxy knows. */
export function AdminSignIn({ state, reason }: AdminSignInProps) {
  useEffect(() => void state.refreshIdentity(), [state]);
  const identity = state.identity.value;
  return (
    <section class="card" aria-labelledby="page-heading">
      <p role="status" class="note">
        {reason && t(REASONS[reason])}
      </p>
      {identity !== undefined && (
        <div class="rows">
          <p class="intro">{t('sign_in_identity')}</p>
          <div class="buttons">
            <button
              type="button"
              class="button primary"
              aria-disabled={state.isBusy.value}
              onClick={state.continueAs}
            >
              {t('sign_in_continue', identity)}
            </button>
          </div>
        </div>
      )}
      <form
        class="rows"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void state.submit();
        }}
      >
        <InputField
          label={t('admin_token')}
          hint={t('admin_token_hint')}
          issue={state.issue.value}
          class="input mono"
          type="password"
          name="admin-token"
          dir="ltr"
          value={state.token.value}
          onInput={(event) => state.enter(event.currentTarget.value)}
          autocomplete="current-password"
          autocapitalize="off"
          spellcheck={false}
        />
        <div class="buttons">
          <button type="submit" class="button primary" aria-disabled={state.isBusy.value}>
            {t(state.isBusy.value ? 'sign_in_busy' : 'sign_in')}
          </button>
        </div>
      </form>
    </section>
  );
}
