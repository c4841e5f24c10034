import type { Block } from '../blocks.ts';
import { blockKey } from '../records.ts';
import { type Change, unchanged } from './change.ts';

/**
 * See `Administration.addBlock`. The account is locked, so that neither it nor its link is erased meanwhile,
 * which would leave the block.
 *
 * @param owner of a link that is blocked, as far as the driver must know it to lock it
 */
export function addBlock(block: Block, owner?: string): Change<boolean> {
  const { kind, value, reason, since } = block;
  const account = { link: owner, account: value, host: undefined }[kind];
  return {
    needs: () => ({
      accounts: account === undefined ? [] : [account],
      links: kind === 'link' ? [value] : [],
    }),
    decide: (view) => {
      const link = view.get('link', value);
      const isOwned = link !== undefined && (owner ?? link.accountId) === link.accountId;
      const exists = {
        link: isOwned,
        account: view.get('account', value) !== undefined,
        host: true,
      };
      if (!exists[kind]) return unchanged(false);
      return { outcome: true, records: [['block', blockKey(block), { reason, since }]] };
    },
  };
}

/** See `Administration.removeBlock`. */
export function removeBlock(block: Pick<Block, 'kind' | 'value'>): Change<boolean> {
  const key = blockKey(block);
  return {
    needs: () => ({ blocks: [key] }),
    decide: (view) =>
      view.get('block', key)
        ? { outcome: true, records: [['block', key, null]] }
        : unchanged(false),
  };
}
