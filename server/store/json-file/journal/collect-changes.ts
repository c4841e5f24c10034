import type { Block } from '../../blocks.ts';
import type { AccountEditJson } from '../../records/account-json.ts';
import { monthNumber } from '../../records/month-number.ts';
import type { QuotaUseJson } from '../../records/quota-use.ts';
import { damagedLine } from '../files/data-error.ts';
import { erasedAt, type LineRecord, type PurgedJson } from '../files/line-record.ts';
import { readLines } from '../files/read-lines.ts';
import { CompactedStatistics } from '../statistics/compacted-statistics.ts';
import { NewestEdits } from './newest-edits.ts';

/** A file and how many of its bytes to read. */
export type Source = { path: string; end: number };

/** What journals change in lines before. */
export type Changes = {
  /** New hits by link id. */
  hits: Map<string, number>;
  edits: NewestEdits;
  /** Ids of purged links. */
  purged: Set<string>;
  /** By `quotaKey`: what counts besides links that exist. */
  quotaUse: Map<string, number>;
  deletedAccounts: Set<string>;
  /** The newest edit of each account. */
  accountEdits: Map<string, AccountEditJson>;
  /** By `blockKey`; null if there is none any more. */
  blocks: Map<string, Block | null>;
  /**
   * Changed reservations, by alias in lower case: the account, an empty string if nobody can use the
   * alias, or null if it is not reserved any more.
   */
  reserved: Map<string, string | null>;
  /** Ids of revoked tokens. */
  revoked: Set<string>;
  /** Days of the last use by token id. */
  used: Map<string, number>;
  statistics: CompactedStatistics;
  /** Whether older files have content that was erased. */
  erases: boolean;
};

export function collectChanges(journals: Source[]): Changes {
  const changes: Changes = {
    hits: new Map(),
    edits: new NewestEdits(),
    purged: new Set(),
    quotaUse: new Map(),
    deletedAccounts: new Set(),
    accountEdits: new Map(),
    blocks: new Map(),
    reserved: new Map(),
    revoked: new Set(),
    used: new Map(),
    statistics: new CompactedStatistics(),
    erases: false,
  };
  for (const file of journals) {
    for (const { record, offset, start, lineEnd } of recordsOf(file)) {
      if (record.edit)
        changes.edits.add(record.edit.id, file.path, offset + start, lineEnd - start);
      collect(record, changes);
    }
  }
  return changes;
}

/** The lines of a file in order. `bytes` are overwritten later. */
export function* recordsOf({ path, end }: Source) {
  for (const lines of readLines<LineRecord>(path, end)) {
    const { bytes, starts, ends, values, offset, firstNumber } = lines;
    for (const [index, record] of values.entries()) {
      const [start = 0, lineEnd = 0] = [starts[index], ends[index]];
      if (record === undefined) throw damagedLine(path, firstNumber + index, offset + start);
      yield { record, bytes, offset, start, lineEnd };
    }
  }
}

export function quotaKey({ accountId, month }: Omit<QuotaUseJson, 'count'>): string {
  return JSON.stringify([accountId, month]);
}

export function blockKey({ kind, value }: Pick<Block, 'kind' | 'value'>): string {
  return `${kind} ${value}`;
}

function collect(record: LineRecord, changes: Changes): void {
  const { taken, quotaUse, reserved, hits, purged, revoked, used, deletedAccount } = record;
  collectAdministration(record, changes);
  for (const [id, more] of hits ?? []) changes.hits.set(id, (changes.hits.get(id) ?? 0) + more);
  for (const alias of taken ?? []) changes.reserved.set(alias.toLowerCase(), null);
  for (const alias of reserved?.aliases ?? []) {
    changes.reserved.set(alias.toLowerCase(), reserved?.accountId ?? '');
  }
  if (purged) collectPurged(purged, changes);
  if (quotaUse) collectUse(quotaUse, changes);
  if (revoked) changes.revoked.add(revoked.id);
  for (const [, id, day] of used ?? []) {
    changes.used.set(id, Math.max(day, changes.used.get(id) ?? 0));
  }
  if (record.visits) changes.statistics.add(record.visits);
  if (deletedAccount) {
    changes.deletedAccounts.add(deletedAccount.id);
    changes.accountEdits.delete(deletedAccount.id);
    changes.blocks.set(blockKey({ kind: 'account', value: deletedAccount.id }), null);
    changes.statistics.eraseAccount(deletedAccount.id);
  }
  if (erasedAt(record) !== undefined) changes.erases = true;
}

function collectAdministration(
  { accountEdit, block, unblocked, edit, movedFrom }: LineRecord,
  { accountEdits, blocks, statistics }: Changes,
): void {
  if (accountEdit) accountEdits.set(accountEdit.id, accountEdit);
  if (block) blocks.set(blockKey(block), block);
  if (unblocked) blocks.set(blockKey(unblocked), null);
  if (edit && movedFrom !== undefined) statistics.move(edit.id, edit.accountId);
}

function collectPurged(
  { id, accountId, aliases, created, isImported }: PurgedJson,
  changes: Changes,
): void {
  const { purged, reserved, blocks, statistics } = changes;
  purged.add(id);
  blocks.set(blockKey({ kind: 'link', value: id }), null);
  statistics.erase(id);
  for (const alias of aliases) reserved.set(alias.toLowerCase(), accountId);
  const use = { accountId, count: 1 };
  collectUse(isImported ? use : { ...use, month: monthNumber(created) }, changes);
}

function collectUse(use: QuotaUseJson, { quotaUse }: Changes): void {
  const key = quotaKey(use);
  quotaUse.set(key, (quotaUse.get(key) ?? 0) + use.count);
}
