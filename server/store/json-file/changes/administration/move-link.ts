import type { MoveLinkOutcome } from '../../../administration.ts';
import type { OwnLink } from '../../../link.ts';
import { toLinkJson } from '../../../records/link-json.ts';
import { LINE_OVERHEAD_BYTES } from '../../files/checked-line.ts';
import { type ChangeContext, commitChange, type Undecided } from '../context.ts';

/** See `Administration.moveLink`. */
export function tryToMove(
  context: ChangeContext,
  { linkId, accountId }: OwnLink,
  to: string,
): MoveLinkOutcome | Promise<MoveLinkOutcome> | Undecided {
  const { state, reserved, clock, countChange } = context;
  const decided =
    reserved.lockDecided(linkId) ?? reserved.lockDecided(accountId) ?? reserved.lockDecided(to);
  if (decided) return { decided };
  if (!state.accounts.has(to)) return 'no_account';
  const found = state.readLink(linkId);
  if (found?.link.accountId !== accountId) return 'not_found';
  const { number, link } = found;
  // Hits are stored in separate lines.
  const linkJson = toLinkJson({ ...link, accountId: to, hits: 0 });
  const json = JSON.stringify(linkJson);
  // The edit is the last member, because its text is cut out of the line on opening.
  const members = `"movedFrom":${JSON.stringify(accountId)},"edit":${json}`;
  const lineBytes = Buffer.byteLength(members) + LINE_OVERHEAD_BYTES;
  const retainedBytes = lineBytes - state.links.lineBytes(number);
  return commitChange(context, { lockId: linkId }, { members, retainedBytes }, () => {
    state.edit(number, linkJson, json, clock());
    countChange();
    return 'moved';
  });
}
