import type { Quarantined } from '../../messaging/protocol.ts';
import { QUARANTINE_PREFIX, type QuarantinedItem } from '../../storage/define-item.ts';
import { localItems } from '../../storage/items.ts';
import { storedAreas } from '../../storage/stored-area.ts';

/** Lists all unreadable values: those still in place, and those that a write has moved. */
export async function listQuarantined(): Promise<Quarantined[]> {
  const inPlace = await Promise.all(
    localItems.map(async (item): Promise<Quarantined[]> => {
      const quarantined = await item.findQuarantined();
      const id = nameOf(item.key);
      return quarantined ? [{ id, item: id, reason: quarantined.reason }] : [];
    }),
  );
  const quarantine = [...(await storedAreas.local.read())]
    .filter(([key]) => key.startsWith(QUARANTINE_PREFIX))
    .map(([id, value]): Quarantined => {
      const { reason } = value as Partial<QuarantinedItem>;
      const item = id.slice(QUARANTINE_PREFIX.length).replace(/:\d+$/, '');
      return { id, item, reason: reason === 'newer' ? 'newer' : 'damaged' };
    });
  return [...inPlace.flat(), ...quarantine];
}

/** Reads the value as formatted JSON; null if there is none with this id. */
export async function readQuarantined(id: string): Promise<string | null> {
  const quarantined = id.startsWith(QUARANTINE_PREFIX)
    ? (await storedAreas.local.read()).get(id)
    : await itemOf(id)?.findQuarantined();
  return quarantined === undefined ? null : `${JSON.stringify(quarantined, null, 2)}\n`;
}

/** Keeps the readable part of an item. */
export async function deleteQuarantined(id: string): Promise<void> {
  if (id.startsWith(QUARANTINE_PREFIX)) await storedAreas.local.remove((key) => key === id);
  else await itemOf(id)?.dropQuarantined();
}

const nameOf = (key: string) => key.replace('local:', '');
const itemOf = (id: string) => localItems.find(({ key }) => nameOf(key) === id);
