import { openJsonFileStore } from '../../../server/store/json-file/json-file-store.ts';
import type { Link } from '../../../server/store/link.ts';
import type { LinkEdit, NewLink } from '../../../server/store/link-calls.ts';
import { StoreUnavailableError } from '../../../server/store/store.ts';

/** See limited-disk.ts. */
export type Order = { add: NewLink } | { edit: LinkEdit } | { find: string[] };
/** The outcome's kind, or that the write failed. */
export type Answer = { kind: string } | { links: Link[] };

const [folder = ''] = process.argv.slice(2);
const store = await openJsonFileStore(folder, {
  onError: (error) => {
    throw error;
  },
});

async function obey(order: Order): Promise<Answer> {
  try {
    if ('add' in order) return { kind: (await store.addLink(order.add)).kind };
    if ('edit' in order) return { kind: (await store.editLink(order.edit)).kind };
    const links = await Promise.all(order.find.map((alias) => store.findLink(alias)));
    return { links: links.filter((link) => link !== undefined) };
  } catch (error) {
    if (!(error instanceof StoreUnavailableError)) throw error;
    return { kind: 'unavailable' };
  }
}

process.on('message', async (order: Order) => process.send?.(await obey(order)));
process.on('disconnect', () => store.close());
process.send?.('open');
