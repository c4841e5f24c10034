import { t } from '../../../shared/i18n/translate.ts';
import { Icon } from '../../../shared/ui/Icon.tsx';
import { formatFound } from './count-text.ts';
import type { LinksState } from './links-state.ts';

const FIELD_ID = 'search';

/** Moves the focus to the search field, for when the focused control has disappeared. */
export function focusSearch(): void {
  document.getElementById(FIELD_ID)?.focus({ preventScroll: true });
}

/** Always in view. The list is filtered as the user types. */
export function SearchBar({ state }: { state: LinksState }) {
  const all = state.links.value.length;
  return (
    <search class="search">
      <label class="visually-hidden" for={FIELD_ID}>
        {t('links_search')}
      </label>
      <span class="search-field">
        <Icon name="search" />
        <input
          class="input"
          id={FIELD_ID}
          type="search"
          placeholder={t('links_search')}
          value={state.query.value}
          onInput={(event) => state.search(event.currentTarget.value)}
          autofocus
          autocomplete="off"
          spellcheck={false}
        />
      </span>
      <span class="count" role="status">
        {all > 0 && formatFound(state.found.value.length, all)}
      </span>
    </search>
  );
}
