import { IDEMPOTENCY_WINDOW_MS } from '../../../../shared/limits.ts';
import type { Block } from '../../blocks.ts';
import type { Idempotency } from '../../link.ts';
import type { AccountEditJson, AccountJson, TokenJson } from '../../records/account-json.ts';
import type { IndexedLink, LinkJson } from '../../records/link-json.ts';
import type { QuotaUseJson } from '../../records/quota-use.ts';
import type { HistoryJson } from '../../statistics/history-json.ts';
import type { VisitsJson } from '../statistics/visits-json.ts';

/** The content of a journal or snapshot line, without its checksum: the changes of one call, all or none. */
export type LineRecord = {
  /** Journal only: the offset in the file at which the line's batch begins. */
  batch?: number;
  account?: AccountJson;
  /** Journal only: what an administrator can change of an account, as it is now. */
  accountEdit?: AccountEditJson;
  token?: TokenJson;
  /** In a snapshot, after all links. */
  block?: Block;
  /** Journal only: a block that was removed. */
  unblocked?: Pick<Block, 'kind' | 'value'>;
  idempotency?: Idempotency;
  /** Snapshot only: an edited link as it was created, as long as an idempotency key refers to it. */
  first?: LinkJson;
  /** Aliases that no link has any more. */
  reserved?: ReservedJson;
  /** Journal only: aliases that were reserved and now belong to the link of this line. */
  taken?: string[];
  /** In a journal, what a link counts besides its line; in a snapshot, the sum of an account and a month. */
  quotaUse?: QuotaUseJson;
  /** `link` or `edit` is the last member, because its text is cut out of the line on opening. */
  link?: LinkJson;
  /** Journal only: an edited link, without its hits. */
  edit?: LinkJson;
  /** Journal only: with an edit, the account that had the link before. */
  movedFrom?: string;
  /** Journal only: link ids and their new hits. */
  hits?: [id: string, hits: number][];
  /** Journal only: visits to add to the statistics. */
  visits?: VisitsJson;
  /** Snapshot only: the statistics of a link, after its line, or of an account. */
  statistics?: HistoryJson;
  /** Journal only: a link that was erased. */
  purged?: PurgedJson;
  /** Journal only: a token that was revoked. */
  revoked?: { accountId: string; id: string };
  /** Journal only: tokens that were used, with the number of the UTC day. */
  used?: [accountId: string, id: string, day: number][];
  /** Journal only: an account that was erased with its links and tokens, and when. */
  deletedAccount?: { id: string; at: number };
  /** Snapshot only: an idempotency key whose link was erased. */
  spentKey?: { keyHash: string; created: number };
};

/** A line as it is loaded: some are not parsed as a whole. */
export type LoadedRecord = Omit<LineRecord, 'link'> & {
  link?: IndexedLink;
  /** Snapshot only: the number of its lines, in the last one. */
  end?: number;
};

/** The account is missing if it was deleted: then nobody can use the aliases again. */
export type ReservedJson = { accountId?: string; aliases: string[] };

/** What remains to be known of a purged link, and when it was purged. */
export type PurgedJson = {
  id: string;
  accountId: string;
  aliases: string[];
  created: number;
  isImported?: true;
  at: number;
};

/** A change to write to the journal. */
export type Change = {
  /** The line's members, as JSON. */
  members: string;
  /** How many of its bytes the next snapshot will retain. */
  retainedBytes: number;
  /** When something was erased that must leave the disk, if so. */
  erasedAt?: number;
};

export function hasExpired(created: number, now: number): boolean {
  return now >= created + IDEMPOTENCY_WINDOW_MS;
}

/** When a line erased something that must leave the disk. */
export function erasedAt({
  purged,
  deletedAccount,
}: Pick<LineRecord, 'purged' | 'deletedAccount'>): number | undefined {
  return purged?.at ?? deletedAccount?.at;
}

/**
 * How many bytes of a line the next snapshot will retain: without hits and idempotency keys, for example.
 *
 * @param replacedBytes size of the line that an edit or a purge replaces
 */
export function retainedBytes(
  record: LoadedRecord,
  lineBytes: number,
  replacedBytes: number,
): number {
  const { link, edit, account, purged, token, reserved, block, idempotency, batch } = record;
  if (purged) return JSON.stringify(purged.aliases).length - replacedBytes;
  if (!link && !edit && !account && !token && !reserved && !block) return 0;
  const batchBytes = batch === undefined ? 0 : '"batch":,'.length + String(batch).length;
  const keyBytes = idempotency ? JSON.stringify({ idempotency }).length : 0;
  return lineBytes - batchBytes - keyBytes - replacedBytes;
}
