import { formatDate } from '../../../i18n/format-time.ts';
import { t } from '../../../i18n/translate.ts';
import { ConfirmButton } from '../../../ui/ConfirmButton.tsx';
import { keepFocus } from '../../../ui/restore-focus.ts';
import type { AccountState } from '../state/account-state.ts';

/** Accounts on this server whose tokens gave way to others: nothing is lost by pasting one. */
export function PreviousTokens({ state }: { state: AccountState }) {
  const former = state.current.value?.replacedAt ?? [];
  if (former.length === 0) return null;
  return (
    <div class="rows divided">
      <h3>{t('previous_heading')}</h3>
      <p class="hint">{t('hint_previous')}</p>
      <ul class="list">
        {former.map((replacedAt) => {
          const name = t('previous_replaced', formatDate(replacedAt));
          return (
            <li class="list-row" key={replacedAt}>
              <span>{name}</span>
              <span class="buttons">
                <button
                  type="button"
                  class="button"
                  aria-label={`${t('previous_use')}: ${name}`}
                  onClick={({ currentTarget }) =>
                    keepFocus(currentTarget, () => state.restore(replacedAt))
                  }
                >
                  {t('previous_use')}
                </button>
                <button
                  type="button"
                  class="button"
                  aria-label={`${t('copy')}: ${name}`}
                  onClick={() => state.copyCode(replacedAt)}
                >
                  {t('copy')}
                </button>
                <ConfirmButton
                  label={t('remove')}
                  ariaLabel={`${t('remove')} ${name}`}
                  title={t('token_remove_question')}
                  confirm={t('token_remove_confirm')}
                  onConfirm={() => state.forget(state.origin.value, replacedAt)}
                >
                  <p>{t('token_remove_text')}</p>
                </ConfirmButton>
              </span>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
