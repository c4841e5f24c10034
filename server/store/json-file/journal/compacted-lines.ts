import { type AccountJson, applyEdit, type TokenJson } from '../../records/account-json.ts';
import { monthNumber } from '../../records/month-number.ts';
import type { QuotaUseJson } from '../../records/quota-use.ts';
import { hasExpired, type LineRecord } from '../files/line-record.ts';
import { blockKey, type Changes, quotaKey, recordsOf, type Source } from './collect-changes.ts';

/** The members of a line as JSON, or an unchanged line, which is overwritten later. */
export type CompactedLine = string | { bytes: Buffer; start: number; end: number };

/** Aliases in a line of the snapshot. */
const ALIASES_A_LINE = 100;

/**
 * The lines of a new snapshot.
 *
 * @param files the current snapshot, if there is one, and the journals after it
 * @param changes what these journals change. It is used up.
 * @param now idempotency keys that have expired at this time are left out
 */
export function* compactedLines(
  files: Source[],
  changes: Changes,
  now: number,
): Generator<CompactedLine> {
  for (const file of files) yield* compactFile(file, changes, now);
  yield* reservedLines(changes);
  yield* quotaUseLines(changes, now);
  for (const block of changes.blocks.values()) {
    if (block) yield `"block":${JSON.stringify(block)}`;
  }
  yield* changes.statistics.rest();
}

function* compactFile(file: Source, changes: Changes, now: number): Generator<CompactedLine> {
  for (const { record, bytes, start, lineEnd } of recordsOf(file)) {
    const { batch, account, token, link, spentKey } = record;
    const statistics = record.statistics && changes.statistics.merge(record.statistics);
    if (statistics !== undefined) yield statistics;
    // Those of journals are in `changes`.
    const reserved = batch === undefined ? record.reserved : undefined;
    const quotaUse = batch === undefined ? record.quotaUse : undefined;
    if (record.block && !changes.blocks.has(blockKey(record.block))) {
      changes.blocks.set(blockKey(record.block), record.block);
    }
    if (!account && !token && !link && !reserved && !spentKey && !quotaUse) continue;
    if (batch === undefined && isUnchanged(record, changes, now)) {
      yield { bytes, start, end: lineEnd };
      continue;
    }
    const compacted: LineRecord = {
      ...(account && compactAccount(account, changes)),
      ...(token && compactToken(token, changes)),
      ...(link && compactLink({ ...record, link }, changes, now)),
      ...(reserved && compactReserved(reserved, changes)),
      ...(spentKey && !hasExpired(spentKey.created, now) && { spentKey }),
      ...(quotaUse && compactUse(quotaUse, changes, now)),
    };
    if (Object.keys(compacted).length > 0) yield JSON.stringify(compacted).slice(1, -1);
  }
}

/** Whether a line of a snapshot can be copied. */
function isUnchanged(record: LineRecord, changes: Changes, now: number): boolean {
  const { account, link, idempotency } = record;
  const { hits, edits, purged, deletedAccounts, accountEdits, revoked, used } = changes;
  if (!link || record.reserved || record.spentKey || record.quotaUse) return false;
  if (account && (revoked.has(account.id) || used.has(account.id))) return false;
  // The link of the account's line may belong to another one since.
  if (account && (accountEdits.has(account.id) || deletedAccounts.has(account.id))) return false;
  if (idempotency && hasExpired(link.created, now)) return false;
  return !(
    hits.has(link.id) ||
    edits.has(link.id) ||
    purged.has(link.id) ||
    deletedAccounts.has(link.accountId)
  );
}

function compactAccount(account: AccountJson, changes: Changes): Pick<LineRecord, 'account'> {
  const { deletedAccounts, accountEdits, revoked, used } = changes;
  if (deletedAccounts.has(account.id)) return {};
  const edit = accountEdits.get(account.id);
  const usedOn = used.get(account.id) ?? account.usedOn;
  const { tokenHash, ...rest } = account;
  const isKept = tokenHash !== undefined && !revoked.has(account.id);
  return {
    account: {
      ...(edit ? applyEdit(rest, edit) : rest),
      ...(isKept && { tokenHash }),
      ...(usedOn !== undefined && { usedOn }),
    },
  };
}

function compactToken(token: TokenJson, changes: Changes): Pick<LineRecord, 'token'> {
  const { deletedAccounts, revoked, used } = changes;
  if (deletedAccounts.has(token.accountId) || revoked.has(token.id)) return {};
  const usedOn = used.get(token.id) ?? token.usedOn;
  return { token: { ...token, ...(usedOn !== undefined && { usedOn }) } };
}

function compactLink(
  { link, first, idempotency: key }: LineRecord & { link: NonNullable<LineRecord['link']> },
  { hits, edits, purged, deletedAccounts, blocks }: Changes,
  now: number,
): LineRecord {
  const idempotency = hasExpired(link.created, now) ? undefined : key;
  const edited = edits.read(link.id);
  const { accountId } = edited ?? link;
  const isDeleted = deletedAccounts.has(accountId);
  if (isDeleted || purged.has(link.id)) {
    // The snapshot's blocks come after its links.
    blocks.set(blockKey({ kind: 'link', value: link.id }), null);
    const { alias, furtherAliases = [] } = edited ?? link;
    const isReserved = isDeleted && !purged.has(link.id);
    return {
      ...(isReserved && { reserved: { aliases: [alias, ...furtherAliases] } }),
      ...(idempotency && { spentKey: { keyHash: idempotency.keyHash, created: link.created } }),
    };
  }
  // A retry with the key returns the link as it was created.
  const original = idempotency && (first ?? (edited && link));
  const sum = (link.hits ?? 0) + (hits.get(link.id) ?? 0);
  return {
    ...(idempotency && { idempotency }),
    ...(original && { first: original }),
    link: { ...(edited ?? link), ...(sum > 0 && { hits: sum }) },
  };
}

function compactReserved(
  { aliases, accountId }: NonNullable<LineRecord['reserved']>,
  { reserved, deletedAccounts }: Changes,
): Pick<LineRecord, 'reserved'> {
  const unchanged = aliases.filter((alias) => !reserved.has(alias.toLowerCase()));
  if (unchanged.length === 0) return {};
  const hasOwner = accountId !== undefined && !deletedAccounts.has(accountId);
  return { reserved: { ...(hasOwner && { accountId }), aliases: unchanged } };
}

function compactUse(
  { count, ...of }: QuotaUseJson,
  { quotaUse, deletedAccounts }: Changes,
  now: number,
): Pick<LineRecord, 'quotaUse'> {
  const sum = count + (quotaUse.get(quotaKey(of)) ?? 0);
  quotaUse.delete(quotaKey(of));
  if (sum === 0 || deletedAccounts.has(of.accountId) || isLongAgo(of, now)) return {};
  return { quotaUse: { ...of, count: sum } };
}

/** Aliases that were reserved since the last snapshot. */
function* reservedLines({ reserved, deletedAccounts }: Changes): Generator<string> {
  const byAccount = new Map<string, string[]>();
  for (const [alias, accountId] of reserved) {
    if (accountId === null) continue;
    const owner = deletedAccounts.has(accountId) ? '' : accountId;
    const aliases = byAccount.get(owner);
    if (aliases) aliases.push(alias);
    else byAccount.set(owner, [alias]);
  }
  for (const [accountId, all] of byAccount) {
    for (let start = 0; start < all.length; start += ALIASES_A_LINE) {
      const aliases = all.slice(start, start + ALIASES_A_LINE);
      const record = { reserved: { ...(accountId && { accountId }), aliases } };
      yield JSON.stringify(record).slice(1, -1);
    }
  }
}

function* quotaUseLines({ quotaUse, deletedAccounts }: Changes, now: number): Generator<string> {
  for (const [key, count] of quotaUse) {
    const [accountId, month]: [string, number | null] = JSON.parse(key);
    const of = { accountId, ...(month !== null && { month }) };
    if (count === 0 || deletedAccounts.has(accountId) || isLongAgo(of, now)) continue;
    yield `"quotaUse":${JSON.stringify({ ...of, count })}`;
  }
}

/** Whether no quota is checked for the month any more, even if a clock is a little wrong. */
function isLongAgo({ month }: Pick<QuotaUseJson, 'month'>, now: number): boolean {
  return month !== undefined && month < monthNumber(now) - 1;
}
