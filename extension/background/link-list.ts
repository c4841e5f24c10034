import type { ListedLink, MadeLink } from '../messages.ts';
import { droppedLinksCount, keptLinks, keptLinksBytes } from '../storage.ts';
import { type Lists, withinLimit } from './link-room.ts';
import { nameOf } from './made-links.ts';

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
 * Adds links that were removed, or come from a file.
 *
 * @returns how many are new here, and how many were there already
 * @throws StorageFull, and then has added none
 */
export async function addLinks(links: ListedLink[]): Promise<{ added: number; known: number }> {
  let outcome = { added: 0, known: 0 };
  let dropped = 0;
  await keptLinks.updateAll((lists) => {
    const { changed, ...counts } = mergeLinks(lists, links);
    const thinned = withinLimit(new Map([...lists, ...changed]));
    outcome = counts;
    dropped = thinned.dropped;
    return new Map([...changed, ...thinned.lists]);
  });
  await keptLinksBytes.update(() => null);
  if (dropped > 0) await droppedLinksCount.update((before) => before + dropped);
  return outcome;
}

/** What is there stays as it is, but takes a title where it has none. @returns the lists that change */
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
    const known = list.find(({ shortUrl }) => shortUrl === link.shortUrl);
    if (!known) {
      added += 1;
      nameOfShort.set(link.shortUrl, name);
      changed.set(name, [...list, link].sort(newestFirst));
    } else if (!known.title && link.title) {
      const titled = { ...known, title: link.title };
      changed.set(
        name,
        list.map((other) => (other === known ? titled : other)),
      );
    }
  }
  return { changed, added, known: links.length - added };
}

function newestFirst(one: MadeLink, other: MadeLink): number {
  return Date.parse(other.created) - Date.parse(one.created);
}
