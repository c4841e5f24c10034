import type { ComponentChildren } from 'preact';
import type { TokenInfo } from '../../../../shared/accounts/account-tokens.ts';
import { t } from '../../../../shared/i18n/translate.ts';
import { ConfirmButton } from '../../../../shared/ui/ConfirmButton.tsx';
import { FailureNote } from '../../../../shared/ui/FailureNote.tsx';
import { describeToken, tokenName } from './token-texts.ts';
import type { TokensState } from './tokens-state.ts';

export type TokenListProps = {
  state: TokensState;
  tokens: TokenInfo[];
  children: ComponentChildren;
};

/** The tokens of the account, each with a button to revoke it. */
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
