import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { NewTokenResponse, TokenInfo } from '../../../shared/accounts/account-tokens.ts';
import { TOKEN_NAME_MAX_CHARACTERS } from '../../../shared/bounds.ts';
import { type FailureText, failureText } from '../../../shared/i18n/failure-text.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { ConfirmButton } from '../../../shared/ui/ConfirmDialog.tsx';
import { FailureNote } from '../../../shared/ui/FailureNote.tsx';
import { InputField, SelectField } from '../../../shared/ui/Field.tsx';
import { Form } from '../../../shared/ui/Form.tsx';
import type { Dashboard } from '../app/dashboard.ts';
import type { AccountState } from './account-state.ts';
import { CreatedToken } from './NewToken.tsx';
import { describeToken, SCOPE_LABELS, SCOPES, tokenName } from './token-texts.ts';

type TokenListProps = {
  state: TokensState;
  tokens: TokenInfo[];
  children: ComponentChildren;
};

/** Renders the tokens of the account, each with a button to revoke it. */
export function TokenList({ state, tokens, children }: TokenListProps) {
  return (
    <section class="card" aria-labelledby="tokens-heading">
      <h2 id="tokens-heading" tabIndex={-1}>
        {t('tokens_heading')}
      </h2>
      <p class="intro">{t('tokens_intro')}</p>
      <FailureNote failure={state.failure.value} />
      <ul class="list">
        {tokens.map((token) => (
          <li class="list-row" key={token.id}>
            <div>
              <strong dir="auto">{tokenName(token)}</strong>
              {token.isCurrent && <span class="badge">{t('token_current')}</span>}
              <p class="hint">{describeToken(token)}</p>
            </div>
            <ConfirmButton
              label={t('revoke')}
              ariaLabel={t('label_of', t('revoke'), tokenName(token))}
              title={t('revoke_question', tokenName(token))}
              confirm={t('revoke_confirm')}
              onConfirm={() => state.revoke(token)}
            >
              <p>{t('revoke_text')}</p>
              {token.isCurrent && <p>{t('revoke_current_text')}</p>}
              {state.isLast(token) && <p class="warning">{t('revoke_last_text')}</p>}
            </ConfirmButton>
          </li>
        ))}
      </ul>
      {children}
    </section>
  );
}

/** Creates a named token, and shows it once. */
export function NewTokenForm({ state, origin }: { state: TokensState; origin: string }) {
  return (
    <>
      <Form class="rows divided" onSubmit={state.create}>
        <h3>{t('token_new_heading')}</h3>
        <div class="form-line">
          <InputField
            label={t('field_token_name')}
            issue={state.nameIssue.value}
            name="token-name"
            value={state.name.value}
            onInput={(event) => state.setName(event.currentTarget.value)}
            maxLength={TOKEN_NAME_MAX_CHARACTERS}
          />
          <SelectField
            label={t('field_token_scope')}
            options={SCOPES.map((value) => ({ value, label: t(SCOPE_LABELS[value]) }))}
            value={state.scope.value}
            onChoose={state.setScope}
          />
        </div>
        <div class="buttons">
          <button type="submit" class="button" aria-disabled={state.isBusy.value}>
            {t('token_create')}
          </button>
        </div>
      </Form>
      <CreatedToken created={state.created} origin={origin} />
    </>
  );
}

type TokensState = ReturnType<typeof createTokensState>;

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
    const result = await api.call((client) => client.createToken({ body }));
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
    const result = await api.call((client) =>
      client.revokeToken({ id: token.id, confirm: evenIfLast ? 'last' : undefined }),
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
