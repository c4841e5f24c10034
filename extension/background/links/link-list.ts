import type { ListedLink, MadeLink } from '../../messaging/protocol.ts';
import { keptLinks, keptLinksBytes } from '../../storage/items.ts';
import { StorageFull } from '../../storage/quota.ts';
import { type Lists, withinLimit } from './link-quota.ts';
import { nameOf } from './link-store.ts';

/** Every link that was made here, but for private windows, newest first. */
export async function listLinks(): Promise<ListedLink[]> {
  const lists = await keptLinks.readAll();
  return [...lists]
    .flatMap(([name, links]) => {
      const end = name.indexOf(' ');
      const asked = { serverOrigin: name.slice(0, end), address: name.slice(end + 1) };
      return links.map((link) => ({ ...link, ...asked }));
    })
    .sort(newestFirst);
}

/** Its page has it no longer, either. */
export async function removeLink({
  serverOrigin,
  address,
  shortUrl,
}: Pick<ListedLink, 'serverOrigin' | 'address' | 'shortUrl'>): Promise<void> {
  await keptLinks.update(nameOf(serverOrigin, address), (links) =>
    links.filter((link) => link.shortUrl !== shortUrl),
  );
}

/**
 * Adds links that were removed, or come from a file. None that is there gives way to them.
 *
 * @returns how many are new here, how many were there already, and for how many, the oldest of
 * them, there was no room
 * @throws StorageFull where there is room for none, and then has added none
 */
export async function addLinks(
  links: ListedLink[],
): Promise<{ added: number; known: number; noRoom: number }> {
  let outcome = { added: 0, known: 0, noRoom: 0 };
  await keptLinks.updateAll((lists) => {
    const { changed, added, known } = mergeLinks(lists, links);
    const before = new Set([...lists.values()].flat().map(({ shortUrl }) => shortUrl));
    const { lists: thinned, dropped: noRoom } = withinLimit(
      new Map([...lists, ...changed]),
      ({ shortUrl }) => !before.has(shortUrl),
    );
    if (noRoom > 0 && noRoom === added) throw new StorageFull('The list of links is full.');
    outcome = { added: added - noRoom, known, noRoom };
    return new Map([...changed, ...thinned]);
  });
  await keptLinksBytes.update(() => null);
  return outcome;
}

/** What is there stays as it is. @returns the lists that change */
export function mergeLinks(
  lists: Lists,
  links: ListedLink[],
): { changed: Lists; added: number; known: number } {
  const changed: Lists = new Map();
  const nameOfShort = new Map<string, string>();
  for (const [name, there] of lists) {
    for (const { shortUrl } of there) nameOfShort.set(shortUrl, name);
  }
  let added = 0;
  for (const { serverOrigin, address, ...link } of links) {
    const name = nameOfShort.get(link.shortUrl) ?? nameOf(serverOrigin, address);
    const list = changed.get(name) ?? lists.get(name) ?? [];
    if (list.some(({ shortUrl }) => shortUrl === link.shortUrl)) continue;
    added += 1;
    nameOfShort.set(link.shortUrl, name);
    changed.set(name, [...list, link].sort(newestFirst));
  }
  return { changed, added, known: links.length - added };
}

function newestFirst(one: MadeLink, other: MadeLink): number {
  return Date.parse(other.created) - Date.parse(one.created);
}
