import type { ReadonlySignal } from '@preact/signals';
import type { LinkRecord } from '../../../links/link-record.ts';
import { type AllChange, type AllChangeSignals, createAllChanger } from './change-all.ts';
import { type ChangeTools, createLinkChanger } from './change-links.ts';
import { createEditState } from './edit-state.ts';
import { createFollowing, type FollowingSignals } from './follow-list.ts';
import { createNewLink, type NewLinkParts } from './new-link.ts';
import { createUndo, type UndoSignals } from './undo.ts';

/** What is done with the selected links. */
export type SelectedChange =
  | { isActive: boolean }
  | { addTag: string }
  | { removeTag: string }
  | { isDeleted: true }
  | { expiresAt: string | null }
  | { domain: string };

type Selection = {
  /** The selected links that are loaded. */
  selected: ReadonlySignal<LinkRecord[]>;
  /** Whether those are selected, too, that are not loaded. */
  isAllSelected: ReadonlySignal<boolean>;
  clearSelection(): void;
};

/** Absent where no link can be created. */
type NewLink = { newLink: Omit<NewLinkParts, keyof ChangeTools> | undefined };

type Signals = Omit<ChangeTools, 'undo'> & { undo: UndoSignals } & AllChangeSignals &
  FollowingSignals &
  Selection &
  NewLink;

export type ListChanges = ReturnType<typeof createChanges>;

/** Creates all changes of the links of a list, which are loaded after it. */
export function createChanges(signals: Signals) {
  const undo = createUndo(signals.undo, signals.report);
  const tools = { ...signals, undo };
  const changer = createLinkChanger(tools);
  const all = createAllChanger(tools);

  /** Changes the selected links: at once, or after a question if not all of them are loaded. */
  function changeSelected(asked: SelectedChange): Promise<void> {
    if (tools.isAllSelected.value) return all.request(toAllChange(asked));
    const links = tools.selected.value;
    if ('isActive' in asked) return changer.setActive(links, asked.isActive);
    if ('addTag' in asked) return changer.addTag(links, asked.addTag);
    if ('removeTag' in asked) return changer.removeTag(links, asked.removeTag);
    if ('isDeleted' in asked) return changer.remove(links);
    return changer.setFields(links, asked);
  }

  const newLink = tools.newLink && createNewLink({ ...tools, ...tools.newLink });
  const { undoLast } = undo;
  /** The form of a link. */
  const editing = createEditState(tools, tools.edited);
  return { ...changer, ...createFollowing(tools), all, changeSelected, newLink, undoLast, editing };
}

function toAllChange(asked: SelectedChange): AllChange {
  if ('isActive' in asked) {
    const { isActive } = asked;
    return {
      change: { isActive },
      opposite: () => ({ isActive: !isActive }),
      label: isActive ? 'link_resume' : 'link_pause',
      doneText: isActive ? 'bulk_resumed' : 'bulk_paused',
    };
  }
  if ('addTag' in asked) {
    const tags = [asked.addTag];
    return {
      change: { addTags: tags },
      opposite: () => ({ removeTags: tags }),
      label: 'tag_add',
      doneText: 'bulk_tagged',
    };
  }
  if ('removeTag' in asked) {
    const tags = [asked.removeTag];
    return {
      change: { removeTags: tags },
      opposite: () => ({ addTags: tags }),
      label: 'tag_take',
      doneText: 'bulk_untagged',
    };
  }
  if ('expiresAt' in asked) {
    return {
      change: asked,
      opposite: (replaced) => ({ expiresAt: replaced?.expiresAt ?? null }),
      label: 'expiry_change',
      doneText: 'bulk_saved',
    };
  }
  if ('domain' in asked) {
    return {
      change: asked,
      opposite: (replaced) => ({ domain: replaced?.domain ?? asked.domain }),
      label: 'domain_change',
      doneText: 'bulk_saved',
    };
  }
  return {
    change: { isDeleted: true },
    opposite: () => ({ isDeleted: false }),
    label: 'link_delete',
    doneText: 'bulk_deleted',
  };
}
