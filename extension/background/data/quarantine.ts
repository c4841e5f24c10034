import { browser } from 'wxt/browser';
import type { Unreadable } from '../../messaging/protocol.ts';
import { SET_ASIDE, type Unread } from '../../storage/define-item.ts';
import { keptLinks, localItems } from '../../storage/items.ts';

/** All that stands in storage and cannot be read: in its place yet, or set aside by a write. */
export async function listUnreadable(): Promise<Unreadable[]> {
  const inPlace = await Promise.all(
    localItems.map(async (item): Promise<Unreadable[]> => {
      const unread = await item.findUnread();
      const id = nameOf(item.key);
      return unread ? [{ id, item: id, reason: unread.reason }] : [];
    }),
  );
  const lists = [...(await keptLinks.findUnread())].map(
    ([id, { reason }]): Unreadable => ({ id, item: id, reason }),
  );
  const setAside = Object.entries(await browser.storage.local.get())
    .filter(([key]) => key.startsWith(SET_ASIDE))
    .map(([id, value]): Unreadable => {
      const { reason } = value as Partial<Unread>;
      const item = id.slice(SET_ASIDE.length).replace(/:\d+$/, '');
      return { id, item, reason: reason === 'newer' ? 'newer' : 'damaged' };
    });
  return [...inPlace.flat(), ...lists, ...setAside];
}

/** As JSON that a person can read; null where there is nothing of this id. */
export async function revealUnreadable(id: string): Promise<string | null> {
  const unread = id.startsWith(SET_ASIDE)
    ? (await browser.storage.local.get(id))[id]
    : await (itemOf(id)?.findUnread() ?? keptLinks.findUnread().then((lists) => lists.get(id)));
  return unread === undefined ? null : `${JSON.stringify(unread, null, 2)}\n`;
}

/** What of an item can be read stays. */
export async function deleteUnreadable(id: string): Promise<void> {
  if (id.startsWith(SET_ASIDE)) await browser.storage.local.remove(id);
  else if (itemOf(id)) await itemOf(id)?.dropUnread();
  else if ((await keptLinks.findUnread()).has(id)) await keptLinks.dropUnread(id);
}

const nameOf = (key: string) => key.replace('local:', '');
const itemOf = (id: string) => localItems.find(({ key }) => nameOf(key) === id);
