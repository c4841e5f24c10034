import { t } from '../../../i18n/translate.ts';
import type { MenuAction } from '../../MenuButton.tsx';
import { focusSearch } from '../SearchBar.tsx';
import type { LinksState } from '../state/links-state.ts';

/** The changes of the selected links, but for the tag, which needs a name. */
export function bulkActions(state: LinksState): MenuAction[] {
  return [
    {
      label: t('link_pause'),
      icon: 'pause',
      onSelect: () => void state.activateSelected(false),
    },
    {
      label: t('link_resume'),
      icon: 'resume',
      onSelect: () => void state.activateSelected(true),
    },
    {
      label: t('link_delete'),
      icon: 'remove',
      onSelect() {
        const isAll = state.isAllSelected.value;
        void state.removeSelected();
        if (!isAll) focusSearch();
      },
    },
  ];
}

export function exportItems(state: LinksState): MenuAction[] {
  return (['json', 'csv'] as const).map((format) => ({
    label: t(format === 'json' ? 'export_json' : 'export_csv'),
    icon: 'save',
    onSelect: () => void state.saveFile(state.selected.value, format),
  }));
}
