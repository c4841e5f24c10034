import { useSignal } from '@preact/signals';
import { formatNumber } from '../../../i18n/plural.ts';
import { t } from '../../../i18n/translate.ts';
import { Icon } from '../../Icon.tsx';
import { type MenuAction, MenuButton } from '../../MenuButton.tsx';
import { formatTotal } from '../count-text.ts';
import { focusRowInSight } from '../rows/focus-row.ts';
import type { LinksState } from '../state/links-state.ts';
import { AddTag } from './AddTag.tsx';
import { BulkProgress } from './BulkProgress.tsx';
import { bulkActions, exportItems } from './bulk-actions.ts';

/** What can be done with all selected links: one line, or a menu where that is too narrow. */
export function BulkBar({ state }: { state: LinksState }) {
  /** In a narrow bar, the field is there only when it is wanted. */
  const isTagging = useSignal(false);
  const { progress } = state.allChanger;
  if (progress.value) return <BulkProgress {...progress.value} onStop={state.allChanger.stop} />;
  const selected = state.selected.value;
  if (selected.length === 0) return null;
  const total = state.loading.total.value;
  const isAll = state.isAllSelected.value;
  const isComplete =
    isAll || (selected.length === state.loading.links.value.length && !state.loading.hasMore.value);
  const selectItem: MenuAction = {
    label: total?.isExact ? t('select_all_count', formatNumber(total.count)) : t('select_all'),
    icon: 'check',
    onSelect: state.selectAll,
  };
  // An export has no deleted links.
  const isDeleted = state.loading.status.value === 'deleted';
  const actions = bulkActions(state);
  const exports = isAll ? [] : exportItems(state);
  const tagItem: MenuAction = {
    label: t('tag_add'),
    icon: 'tag',
    onSelect() {
      isTagging.value = true;
    },
  };

  /** The bar disappears with the selection, and the focus moves to a row that was selected, or to another. */
  function clear(): void {
    focusRowInSight('.selected');
    state.clearSelection();
  }

  return (
    <section class="bulk-bar" aria-label={t('bulk_heading')}>
      <p role="status">
        {t('bulk_selected', isAll && total ? formatTotal(total) : formatNumber(selected.length))}
      </p>
      {!isComplete && (
        <button
          type="button"
          class={isDeleted ? 'button plain' : 'button plain bulk-wide'}
          onClick={selectItem.onSelect}
        >
          {selectItem.label}
        </button>
      )}
      {!isDeleted && (
        <>
          <div class={isTagging.value ? 'bulk-tag shown' : 'bulk-tag'}>
            <AddTag
              known={state.knownTags.value}
              isFocused={isTagging.value}
              onAdd={(tag) => {
                isTagging.value = false;
                void state.tagSelected(tag);
              }}
            />
          </div>
          <div class="bulk-wide">
            {actions.map(({ label, icon, onSelect }) => (
              <button type="button" class="button" key={label} onClick={onSelect}>
                <Icon name={icon} />
                {label}
              </button>
            ))}
            {exports.length > 0 && (
              <MenuButton label={t('export_selected')} items={() => exports} />
            )}
          </div>
          <div class="bulk-narrow">
            <MenuButton
              label={t('bulk_actions')}
              items={() => [...(isComplete ? [] : [selectItem]), tagItem, ...actions, ...exports]}
            />
          </div>
        </>
      )}
      <button
        type="button"
        class="button square"
        aria-label={t('select_none')}
        title={t('select_none')}
        onClick={clear}
      >
        <Icon name="close" />
      </button>
    </section>
  );
}
