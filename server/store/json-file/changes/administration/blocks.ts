import type { Block } from '../../../blocks.ts';
import { LINE_OVERHEAD_BYTES } from '../../files/checked-line.ts';
import { type ChangeContext, commitChange, type Undecided } from '../context.ts';

/** See `Administration.addBlock`. */
export function tryToBlock(
  context: ChangeContext,
  block: Block,
): boolean | Promise<boolean> | Undecided {
  const { state, reserved, countChange } = context;
  const { kind, value } = block;
  const decided = reserved.lockDecided(lockOf(block).lockId);
  if (decided) return { decided };
  if (kind === 'link' && !state.readLink(value)) return false;
  if (kind === 'account' && !state.accounts.has(value)) return false;
  const members = `"block":${JSON.stringify(block)}`;
  const retainedBytes = Buffer.byteLength(members) + LINE_OVERHEAD_BYTES;
  return commitChange(context, lockOf(block), { members, retainedBytes }, () => {
    state.blocks.add(block);
    countChange();
    return true;
  });
}

/** See `Administration.removeBlock`. */
export function tryToUnblock(
  context: ChangeContext,
  { kind, value }: Pick<Block, 'kind' | 'value'>,
): boolean | Promise<boolean> | Undecided {
  const { state, reserved, countChange } = context;
  const decided = reserved.lockDecided(lockOf({ kind, value }).lockId);
  if (decided) return { decided };
  if (!state.blocks[kind].has(value)) return false;
  const members = `"unblocked":${JSON.stringify({ kind, value })}`;
  return commitChange(context, lockOf({ kind, value }), { members, retainedBytes: 0 }, () => {
    countChange();
    return state.blocks.delete(kind, value);
  });
}

/** The link or account is not changed meanwhile. No id has a space. */
function lockOf({ kind, value }: Pick<Block, 'kind' | 'value'>): { lockId: string } {
  return { lockId: kind === 'host' ? `host ${value}` : value };
}
