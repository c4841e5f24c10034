import { t } from '../../i18n/translate.ts';
import { focusSearch } from './SearchBar.tsx';
import type { LinksState } from './state/links-state.ts';

/** Shown in place of an empty list. */
export function EmptyState({ state }: { state: LinksState }) {
  const { words, isFiltered } = state.loading;
  if (!isFiltered.value) {
    return (
      <div class="empty-state">
        <p class="empty-state-title">{t('links_empty')}</p>
        <p>{t(state.emptyHint)}</p>
      </div>
    );
  }
  return (
    <div class="empty-state">
      <p class="empty-state-title">
        {words.value.trim() ? t('links_no_match', words.value.trim()) : t('links_none_filtered')}
      </p>
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
