import { signal } from '@preact/signals';
import type { Failure } from '../../../../shared/client.ts';
import { failureSentences } from '../../../../shared/i18n/failure-text.ts';
import { t } from '../../../../shared/i18n/translate.ts';
import { InputField } from '../../../../shared/ui/Field.tsx';
import { Form, Username } from '../../../../shared/ui/Form.tsx';
import { ContinueAs } from '../../session/SignIn.tsx';
import type { Session, SignOutReason } from '../../session/session.ts';
import { createSingleSignOn } from '../../session/sign-in-state.ts';
import type { AdminApi } from '../api/admin-api.ts';
import { adminFailure } from '../parts/actions.tsx';

/** Administrators have no account that could be deleted. */
const REASONS = {
  by_user: 'signed_out_by_user',
  token_revoked: 'admin_expired',
  account_deleted: 'signed_out_by_user',
} as const satisfies Record<SignOutReason, string>;

type AdminSignInProps = { state: AdminSignInState; reason: SignOutReason | undefined };

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

type AdminSignInParts = { session: Session; api: AdminApi; origin: string };
export type AdminSignInState = ReturnType<typeof createAdminSignIn>;

/** Creates the sign-in with `ADMIN_TOKEN`, or with single sign-on for somebody in `ADMIN_IDENTITIES`. */
export function createAdminSignIn({ session, api, origin }: AdminSignInParts) {
  const token = signal('');
  const issue = signal<string | undefined>(undefined);
  const isBusy = signal(false);
  const singleSignOn = createSingleSignOn({
    session,
    async readIdentity() {
      const result = await api.callWith(undefined, (client) => client.getIdentity());
      return result.ok && result.data.isAdministrator ? result.data.identity : undefined;
    },
    requestToken: () => api.callWith(undefined, (client) => client.administer()),
    explain,
  });

  function enter(text: string): void {
    token.value = text;
    issue.value = undefined;
  }

  async function submit(): Promise<void> {
    if (isBusy.value) return;
    const entered = token.value.trim();
    issue.value = entered === '' ? t('admin_token_missing') : undefined;
    if (issue.value) return;
    isBusy.value = true;
    const result = await api.callWith(entered, (client) => client.adminListAccounts({ limit: 1 }));
    isBusy.value = false;
    issue.value = result.ok ? undefined : explain(result);
    if (!result.ok) return;
    token.value = '';
    session.signIn(entered, false);
  }

  function explain(failure: Failure): string {
    if (failure.code === 'invalid_token') return t('admin_token_wrong');
    if (failure.code === 'not_found') return t('admin_off');
    return failureSentences(adminFailure(failure, origin));
  }

  return { token, issue, isBusy, singleSignOn, enter, submit };
}
