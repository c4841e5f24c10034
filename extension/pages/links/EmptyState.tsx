import { t } from '../../../shared/i18n/translate.ts';
import type { LinksState } from './links-state.ts';
import { focusSearch } from './SearchBar.tsx';

/** Shown in place of an empty list. */
export function EmptyState({ state }: { state: LinksState }) {
  if (state.links.value.length === 0) {
    return (
      <div class="empty-state">
        <p class="empty-state-title">{t('links_empty')}</p>
        <p>{t('links_empty_hint')}</p>
      </div>
    );
  }
  return (
    <div class="empty-state">
      <p class="empty-state-title">{t('links_no_match', state.query.value.trim())}</p>
      <button
        type="button"
        class="button"
        onClick={() => {
          state.search('');
          focusSearch();
        }}
      >
        {t('links_show_all')}
      </button>
    </div>
  );
}
