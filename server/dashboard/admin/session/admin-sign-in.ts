import { signal } from '@preact/signals';
import type { Failure } from '../../../../shared/client.ts';
import { t } from '../../../../shared/i18n/translate.ts';
import type { SingleSignOn } from '../../session/single-sign-on.ts';
import type { AdminApi } from '../api/admin-api.ts';
import { adminFailure } from '../parts/admin-failure.ts';
import type { AdminSession } from './admin-session.ts';

export type AdminSignInParts = { session: AdminSession; api: AdminApi; origin: string };
export type AdminSignInState = ReturnType<typeof createAdminSignIn>;

/** The sign-in with `ADMIN_TOKEN`, or with single sign-on for somebody in `ADMIN_IDENTITIES`. */
export function createAdminSignIn({ session, api, origin }: AdminSignInParts) {
  const token = signal('');
  const issue = signal<string | undefined>(undefined);
  const isBusy = signal(false);
  const singleSignOn = createAdminSingleSignOn();

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
    const result = await api.callWith(entered, (client) => client.listAccounts({ limit: 1 }));
    isBusy.value = false;
    issue.value = result.ok ? undefined : explain(result);
    if (!result.ok) return;
    token.value = '';
    session.signIn(entered);
  }

  function createAdminSingleSignOn(): SingleSignOn {
    /** Whom the proxy names, if they may administer. */
    const identity = signal<string | undefined>(undefined);
    const ownIssue = signal<string | undefined>(undefined);

    async function refresh(): Promise<void> {
      const result = await api.callAsPerson((client) => client.identity());
      const isAdministrator = result.ok && result.data.isAdministrator;
      identity.value = isAdministrator ? (result.data.identity ?? undefined) : undefined;
    }

    async function signIn(): Promise<void> {
      if (isBusy.value) return;
      isBusy.value = true;
      const result = await api.callAsPerson((client) => client.administer());
      isBusy.value = false;
      ownIssue.value = result.ok ? undefined : explain(result);
      if (result.ok) session.signIn(result.data.token);
    }

    return { identity, issue: ownIssue, isBusy, refresh, signIn };
  }

  function explain(failure: Failure): string {
    if (failure.code === 'invalid_token') return t('admin_token_wrong');
    if (failure.code === 'not_found') return t('admin_off');
    return adminFailure(failure, origin).text;
  }

  return { token, issue, isBusy, singleSignOn, enter, submit };
}
