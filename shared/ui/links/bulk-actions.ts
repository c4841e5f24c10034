import { type PlainKey, t } from '../../i18n/translate.ts';
import { toListFilter } from '../../links/list-query.ts';
import { foldTag } from '../../text.ts';
import type { IconName } from '../Icon.tsx';
import type { MenuAction } from '../Menu.tsx';
import { focusSearch } from './focus.ts';
import type { LinksState } from './state/links-state.ts';

/** Returns the changes of the selected links, but for the tag, which needs a name. */
export function bulkActions(state: LinksState): MenuAction[] {
  return [
    {
      label: t('link_pause'),
      icon: 'pause',
      onSelect: () => void state.changeSelected({ isActive: false }),
    },
    {
      label: t('link_resume'),
      icon: 'resume',
      onSelect: () => void state.changeSelected({ isActive: true }),
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
    onSelect() {
      const isAll = state.isAllSelected.value;
      const filter = toListFilter(state.loading.query());
      void state.saveFile(isAll ? filter : state.selected.value, format);
    },
  }));
}

/** What the selected links can get, or lose, in a dialog. */
export type BulkField = 'tag' | 'expiresAt' | 'domain';

/** Returns the tags of the selected links. Those of links that are not loaded are all that the account has. */
export function selectedTags(state: LinksState): string[] {
  if (state.isAllSelected.value) return state.knownTags.value;
  const tags = new Map<string, string>();
  for (const link of state.selected.value) {
    for (const tag of link.tags) if (!tags.has(foldTag(tag))) tags.set(foldTag(tag), tag);
  }
  return [...tags.values()];
}

/** Returns the changes that need a value first. */
export function fieldActions(state: LinksState, ask: (field: BulkField) => void): MenuAction[] {
  const choices: [isPossible: boolean, field: BulkField, label: PlainKey, icon: IconName][] = [
    [selectedTags(state).length > 0, 'tag', 'tag_take', 'tag'],
    [true, 'expiresAt', 'expiry_change', 'expiry'],
    [state.domains.value.length > 1, 'domain', 'domain_change', 'domain'],
  ];
  return choices
    .filter(([isPossible]) => isPossible)
    .map(([, field, label, icon]) => ({ label: t(label), icon, onSelect: () => ask(field) }));
}
