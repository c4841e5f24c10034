import type { Block } from '../blocks.ts';
import { blockKey } from '../records.ts';
import { aliasesOf } from './aliases.ts';
import { type Change, unchanged } from './change.ts';

/**
 * See `Administration.addBlock`. The account is locked, so that neither it nor its link is erased meanwhile,
 * which would leave the block.
 *
 * @param alias which the link must have
 * @param owner of a link that is blocked, as far as the driver must know it to lock it
 */
export function addBlock(block: Block, alias?: string, owner?: string): Change<boolean> {
  const { kind, value, reason, since } = block;
  const account = { link: owner, account: value, host: undefined }[kind];
  return {
    needs: () => ({
      accounts: account === undefined ? [] : [account],
      links: kind === 'link' ? [value] : [],
    }),
    decide: (view) => {
      const link = view.get('link', value);
      const isMeant =
        link !== undefined &&
        (owner ?? link.accountId) === link.accountId &&
        (alias === undefined || aliasesOf(link).includes(alias.toLowerCase()));
      const exists = {
        link: isMeant,
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
