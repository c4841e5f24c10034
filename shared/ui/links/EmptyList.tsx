import { t } from '../../i18n/translate.ts';
import { EVERYTHING } from '../../links/list-query.ts';
import { focusSearch } from './focus.ts';
import { formatTotal } from './link-texts.ts';
import type { LinksState } from './state/links-state.ts';

/** What a search has found: its words, and how many links or that there are none. */
export function resultText({ loading }: LinksState): string | undefined {
  const words = loading.q.value.trim();
  if (loading.links.value.length === 0) return emptyText(loading);
  const total = loading.total.value && formatTotal(loading.total.value);
  return words && total ? t('label_of', words, total) : total;
}

/** Shown in place of an empty list. */
export function EmptyList({ state }: { state: LinksState }) {
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
          state.filter({ ...EVERYTHING, sort: state.loading.sort.value });
          focusSearch();
        }}
      >
        {t('links_show_all')}
      </button>
    </div>
  );
}

/** Why the list is empty. */
function emptyText({ q, isFiltered }: LinksState['loading']): string {
  if (!isFiltered.value) return t('links_empty');
  const searched = q.value.trim();
  return searched ? t('links_no_match', searched) : t('links_none_filtered');
}
