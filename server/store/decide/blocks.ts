import type { Block } from '../blocks.ts';
import { blockKey } from '../records.ts';
import { type Decision, unchanged } from './decision.ts';

/** See `Administration.addBlock`. @param exists whether there is such a link or account; true for a host */
export function addBlock(block: Block, exists: boolean): Decision<boolean> {
  if (!exists) return unchanged(false);
  const { reason, since } = block;
  return { outcome: true, records: [['block', blockKey(block), { reason, since }]] };
}

/** See `Administration.removeBlock`. */
export function removeBlock(
  block: Pick<Block, 'kind' | 'value'>,
  exists: boolean,
): Decision<boolean> {
  return { outcome: exists, records: exists ? [['block', blockKey(block), null]] : [] };
}
