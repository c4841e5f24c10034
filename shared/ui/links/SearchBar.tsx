import { t } from '../../i18n/translate.ts';
import { Icon } from '../Icon.tsx';
import { formatTotal } from './count-text.ts';
import { Filters } from './Filters.tsx';
import type { LinksState } from './state/links-state.ts';

export const SEARCH_FIELD = 'search';

/** Moves the focus to the search field, for when the focused control has disappeared. */
export function focusSearch(): void {
  document.getElementById(SEARCH_FIELD)?.focus({ preventScroll: true });
}

/** Always in view. The list is filtered as the user types. */
export function SearchBar({ state }: { state: LinksState }) {
  const { total, words, failure } = state.loading;
  return (
    <search class="search">
      <label class="visually-hidden" for={SEARCH_FIELD}>
        {t('links_search')}
      </label>
      <span class="search-field">
        <Icon name="search" />
        <input
          class="input"
          id={SEARCH_FIELD}
          type="search"
          placeholder={t('links_search')}
          value={words.value}
          onInput={(event) =>
            state.filter({ words: event.currentTarget.value }, { isTyping: true })
          }
          autofocus
          autocomplete="off"
          spellcheck={false}
        />
      </span>
      <Filters state={state} />
      <div class="search-end">
        <span class="count">
          {!failure.value && total.value && total.value.count > 0 && formatTotal(total.value)}
        </span>
        <button
          type="button"
          class="button square keys-button"
          aria-label={t('keys_title')}
          title={t('keys_title')}
          onClick={() => state.showKeys(true)}
        >
          <kbd>?</kbd>
        </button>
      </div>
    </search>
  );
}
