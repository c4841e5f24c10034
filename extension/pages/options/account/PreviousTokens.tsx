import { formatDate } from '../../../../shared/i18n/format-time.ts';
import { t } from '../../../../shared/i18n/translate.ts';
import { ConfirmButton } from '../../../../shared/ui/ConfirmButton.tsx';
import { restoreFocusAfter } from '../../../../shared/ui/restore-focus.ts';
import type { AccountState } from '../state/account-state.ts';

/** Replaced tokens of this server: pasting a new token never loses the old one. */
export function PreviousTokens({ state }: { state: AccountState }) {
  const dates = state.current.value?.replacedAt ?? [];
  if (dates.length === 0) return null;
  return (
    <div class="rows divided">
      <h3>{t('previous_heading')}</h3>
      <p class="hint">{t('hint_previous')}</p>
      <ul class="list">
        {dates.map((replacedAt) => {
          const name = t('previous_replaced', formatDate(replacedAt));
          return (
            <li class="list-row" key={replacedAt}>
              <span>{name}</span>
              <span class="buttons">
                <button
                  type="button"
                  class="button"
                  aria-label={t('label_of', t('previous_use'), name)}
                  onClick={({ currentTarget }) =>
                    restoreFocusAfter(currentTarget, () => state.restore(replacedAt))
                  }
                >
                  {t('previous_use')}
                </button>
                <button
                  type="button"
                  class="button"
                  aria-label={t('label_of', t('copy'), name)}
                  onClick={() => state.copyCode(replacedAt)}
                >
                  {t('copy')}
                </button>
                <ConfirmButton
                  label={t('remove')}
                  ariaLabel={t('label_of', t('remove'), name)}
                  title={t('token_remove_question')}
                  confirm={t('token_remove_confirm')}
                  onConfirm={() => state.removeToken(state.origin.value, replacedAt)}
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
