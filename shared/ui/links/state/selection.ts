import { computed, signal } from '@preact/signals';
import type { LinkRecord } from '../../../links/link-record.ts';
import type { Loading } from './loading.ts';

/** Creates the selection of links in a list. */
export function createSelection(loading: Loading) {
  const selectedKeys = signal<ReadonlySet<string>>(new Set());
  /** ID of the link that was selected last. */
  let anchor: string | undefined;
  /** Whether all links of the list are selected, also those that are not loaded. */
  const isAllSelected = signal(false);
  const isSelected = (link: LinkRecord) => isAllSelected.value || selectedKeys.value.has(link.id);
  /** The selected links, as far as they are still shown. */
  const selected = computed(() => loading.links.value.filter(isSelected));

  function select(links: LinkRecord[], isSelected: boolean): void {
    if (isSelected && loading.isOutdated.value) return;
    const keys = new Set(selected.value.map(({ id }) => id));
    isAllSelected.value = false;
    for (const link of links) {
      if (isSelected) keys.add(link.id);
      else keys.delete(link.id);
    }
    selectedKeys.value = keys;
    anchor = links.at(-1)?.id;
  }

  /** Selects all links from the one that was selected last to this one, as Shift does. */
  function selectTo(link: LinkRecord, isSelected: boolean): void {
    const shown = loading.links.value;
    const [from, to] = [anchor, link.id].map((id) => shown.findIndex((one) => one.id === id));
    const hasAnchor = from !== undefined && to !== undefined && from >= 0;
    const range = hasAnchor ? shown.slice(Math.min(from, to), Math.max(from, to) + 1) : [];
    select([...range, link], isSelected);
  }

  function selectAll(): void {
    if (loading.isOutdated.value) return;
    selectedKeys.value = new Set(loading.links.value.map(({ id }) => id));
    isAllSelected.value = loading.hasMore.value;
  }

  function clearSelection(): void {
    selectedKeys.value = new Set();
    isAllSelected.value = false;
  }

  return { selected, isSelected, isAllSelected, select, selectTo, selectAll, clearSelection };
}
