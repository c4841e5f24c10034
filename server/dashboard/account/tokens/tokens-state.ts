import { signal } from '@preact/signals';
import type { NewTokenResponse, TokenInfo } from '../../../../shared/accounts/account-tokens.ts';
import { type FailureText, failureText } from '../../../../shared/i18n/failure-text.ts';
import { t } from '../../../../shared/i18n/translate.ts';
import type { Dashboard } from '../../app/dashboard.ts';
import type { AccountState } from '../account-state.ts';

export type TokensState = ReturnType<typeof createTokensState>;

/** Creates and revokes the account's tokens. */
export function createTokensState(
  { api, session, origin }: Pick<Dashboard, 'api' | 'session' | 'origin'>,
  account: Pick<AccountState, 'account' | 'refresh'>,
) {
  const name = signal('');
  const scope = signal<TokenInfo['scope']>('all');
  const nameIssue = signal<string | undefined>(undefined);
  /** Shown once: the server can't show it again. */
  const created = signal<NewTokenResponse['data'] | undefined>(undefined);
  const failure = signal<FailureText | undefined>(undefined);
  const isBusy = signal(false);

  function setName(text: string): void {
    name.value = text;
    nameIssue.value = undefined;
  }

  function setScope(value: TokenInfo['scope']): void {
    scope.value = value;
  }

  async function create(): Promise<void> {
    if (isBusy.value) return;
    const body = { name: name.value.trim(), scope: scope.value };
    nameIssue.value = body.name === '' ? t('token_name_missing') : undefined;
    if (nameIssue.value) return;
    isBusy.value = true;
    created.value = undefined;
    const result = await api.call((client, token) => client.createToken(token, body));
    isBusy.value = false;
    failure.value = result.ok ? undefined : failureText(result, origin);
    if (!result.ok) return;
    created.value = result.data;
    name.value = '';
    await account.refresh();
  }

  /** Whether nobody could manage the account any more without this token. */
  function isLast(token: TokenInfo): boolean {
    const tokens = account.account.value?.tokens ?? [];
    return tokens.every(({ id, scope }) => id === token.id || scope !== 'all');
  }

  async function revoke(token: TokenInfo): Promise<void> {
    const evenIfLast = isLast(token);
    const result = await api.call((client, current) =>
      client.revokeToken(current, token.id, evenIfLast),
    );
    failure.value = result.ok ? undefined : failureText(result, origin);
    if (created.value?.id === token.id) created.value = undefined;
    if (result.ok && token.isCurrent) session.signOut('by_user');
    else await account.refresh();
  }

  return {
    name,
    scope,
    nameIssue,
    created,
    failure,
    isBusy,
    setName,
    setScope,
    create,
    isLast,
    revoke,
  };
}
