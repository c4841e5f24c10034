import { hiddenLinkIds } from '../../storage/items.ts';

/**
 * Keeps a link of a private window out of the list, which has the links of its account.
 *
 * @param isErased whether the data has been erased since the link was created or found
 */
export async function hideLink(
  origin: string,
  id: string,
  isErased?: () => boolean,
): Promise<void> {
  await hiddenLinkIds.update((all) => {
    const { [origin]: ids = [] } = all;
    return ids.includes(id) ? all : { ...all, [origin]: [...ids, id] };
  }, isErased);
}
