import { formatNumber } from '../../../i18n/plural.ts';
import { t } from '../../../i18n/translate.ts';
import { Icon } from '../../Icon.tsx';
import { MenuButton } from '../../MenuButton.tsx';
import { focusSearch } from '../SearchBar.tsx';
import type { LinksState } from '../state/links-state.ts';
import { AddTag } from './AddTag.tsx';

/** What can be done with all selected links. */
export function BulkBar({ state }: { state: LinksState }) {
  const selected = state.selected.value;
  if (selected.length === 0) return null;
  const isDeleted = state.loading.status.value === 'deleted';

  /** The bar disappears with the selection, and the focus moves to the search field. */
  function clear(): void {
    state.clearSelection();
    focusSearch();
  }

  return (
    <section class="bulk-bar" aria-label={t('bulk_heading')}>
      <p role="status">{t('bulk_selected', formatNumber(selected.length))}</p>
      <button
        type="button"
        class="button plain"
        onClick={() => state.select(state.loading.links.value, true)}
      >
        {t('select_all')}
      </button>
      {!isDeleted && (
        <>
          <AddTag known={state.knownTags.value} onAdd={(tag) => void state.addTag(selected, tag)} />
          <button
            type="button"
            class="button"
            onClick={() => void state.setActive(selected, false)}
          >
            <Icon name="pause" />
            {t('link_pause')}
          </button>
          <button type="button" class="button" onClick={() => void state.setActive(selected, true)}>
            <Icon name="resume" />
            {t('link_resume')}
          </button>
          <button
            type="button"
            class="button"
            onClick={() => {
              void state.remove(selected);
              focusSearch();
            }}
          >
            <Icon name="remove" />
            {t('link_delete')}
          </button>
        </>
      )}
      {/* An export has no deleted links. */}
      {!isDeleted && (
        <MenuButton
          label={t('export_selected')}
          items={(['json', 'csv'] as const).map((format) => ({
            label: t(format === 'json' ? 'export_json' : 'export_csv'),
            icon: 'save',
            onSelect: () => void state.saveFile(selected, format),
          }))}
        />
      )}
      <button type="button" class="button plain" onClick={clear}>
        {t('select_none')}
      </button>
    </section>
  );
}
