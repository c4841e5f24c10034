import { hiddenLinkIds } from '../../storage/items.ts';

/** Keeps a link of a private window out of the list, which has the links of its account. */
export async function hideLink(id: string): Promise<void> {
  await hiddenLinkIds.update((ids) => (ids.includes(id) ? ids : [...ids, id]));
}
