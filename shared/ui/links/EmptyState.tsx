import { t } from '../../i18n/translate.ts';
import { focusSearch } from './SearchBar.tsx';
import type { LinksState } from './state/links-state.ts';

/** Shown in place of an empty list. */
export function EmptyState({ state }: { state: LinksState }) {
  const { isFiltered } = state.loading;
  if (!isFiltered.value) {
    return (
      <div class="empty-state">
        <p class="empty-state-title">{emptyText(state.loading)}</p>
        <p>{t(state.emptyHint)}</p>
      </div>
    );
  }
  return (
    <div class="empty-state">
      <p class="empty-state-title">{emptyText(state.loading)}</p>
      <button
        type="button"
        class="button"
        onClick={() => {
          state.filter({ words: '', tag: '', domain: '', status: undefined });
          focusSearch();
        }}
      >
        {t('links_show_all')}
      </button>
    </div>
  );
}

/** Why the list is empty. */
export function emptyText({ words, isFiltered }: LinksState['loading']): string {
  if (!isFiltered.value) return t('links_empty');
  const searched = words.value.trim();
  return searched ? t('links_no_match', searched) : t('links_none_filtered');
}
