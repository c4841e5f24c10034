import type { Readable } from 'node:stream';
import pLimit from 'p-limit';
import { createKeyedMutex } from '../../../shared/keyed-mutex.ts';
import { IMPORT_BODY_MAX_BYTES } from '../../../shared/limits.ts';
import {
  IMPORT_STATUSES,
  type ImportedRow,
  type ImportReport,
  type ImportSource,
} from '../../../shared/links/transfer.ts';
import { assertStillAuthorized } from '../../accounts/authorization.ts';
import { noRoom, type RoomDependencies, roomFor, storeFull } from '../../accounts/room.ts';
import type { Settings } from '../../config.ts';
import type { Clock } from '../../lib/clock.ts';
import { ServiceError } from '../../lib/service-error.ts';
import { createTurns, createYielder } from '../../lib/yield-to-others.ts';
import type { AliasAnswers } from '../../limits/alias-answers.ts';
import type { ClientAddress } from '../../limits/client-ip.ts';
import type { Memory } from '../../limits/memory.ts';
import type { Traffic } from '../../metrics/traffic.ts';
import type { Account, Authorization } from '../../store/account.ts';
import type { AddLinkOutcome } from '../../store/link.ts';
import { StoreUnavailableError } from '../../store/store.ts';
import { type AliasDependencies, generateAliases } from '../aliases.ts';
import { TARGETS_TOO_LONG } from '../targets-too-long.ts';
import type { StatusDependencies } from '../to-link-record.ts';
import { readKnownRows } from './known-rows.ts';
import { type PlacedRow, placeLink } from './place-link.ts';
import { IMPORTED_BEFORE, type PlannedRow, planImport, tooManyImported } from './plan-import.ts';
import { readRows } from './reading/read-rows.ts';
import { toNewLink } from './to-new-link.ts';

export type ImportDependencies = AliasDependencies &
  StatusDependencies &
  RoomDependencies & {
    settings: Pick<Settings, 'importMaxLinks' | 'countryHeader' | 'customGtm' | 'extraSchemes'>;
    clock: Clock;
    memory: Memory;
    aliasAnswers: Pick<AliasAnswers, 'pay'>;
    traffic: Pick<Traffic, 'created'>;
  };

/** Links that wait for the disk together. */
const ADDED_AT_ONCE = 64;
/** Files of all accounts together. */
const FILES_MAX_BYTES = 3 * IMPORT_BODY_MAX_BYTES;
/** How many times its size a file takes in memory until its links are added. */
const MEMORY_FACTOR = 4;
const BUSY_RETRY_SECONDS = 10;

type ImportCall = {
  file: Readable;
  /** Detected if omitted. */
  source?: ImportSource | undefined;
  account: Pick<Account, 'id' | 'isAnonymous' | 'monthlyQuota'>;
  address: ClientAddress;
  by: Authorization;
  dryRun: boolean;
};

type AddOptions = Pick<ImportCall, 'account' | 'by'> & { now: number };

/**
 * The use case of `POST /api/links/import`.
 *
 * @see docs/api.md, "Import and export"
 */
export function createImporter(dependencies: ImportDependencies) {
  const { settings, store, clock, randomBytes, domains, memory } = dependencies;
  const maxLinks = settings.importMaxLinks;
  const runExclusive = createKeyedMutex({
    maxWaiting: 0,
    onFull: () => busy('Another import of this account is running. Try again when it is done.'),
  });
  const nextTurn = createTurns();
  let filesBytes = 0;

  /** @throws ServiceError if the file can't be imported at all; then nothing was imported */
  return (call: ImportCall): Promise<ImportReport> =>
    runExclusive(call.account.id, async () => {
      if (memory.isFull && !call.dryRun) throw storeFull();
      let bytes = 0;
      // Counts what has arrived, so that slow clients can't keep others out.
      const reserve = (more: number) => {
        bytes += more;
        filesBytes += more;
        if (filesBytes > FILES_MAX_BYTES) {
          throw busy('Too many files are being imported on this server. Try again shortly.');
        }
        if (!memory.hasRoomFor(MEMORY_FACTOR * filesBytes)) throw storeFull();
      };
      try {
        return await importFile(call, reserve);
      } finally {
        filesBytes -= bytes;
      }
    });

  async function importFile(call: ImportCall, reserve: (bytes: number) => void) {
    const { file, account, by, dryRun } = call;
    const { id: accountId } = account;
    const read = await readRows(file, call.source, { reserve, nextTurn });
    // The upload may have taken long.
    await assertStillAuthorized(by, store);
    const now = clock();
    const { source } = read;
    const rows: PlacedRow[] = [];
    const yieldToOthers = createYielder(nextTurn);
    for (const row of read.rows) {
      rows.push('link' in row ? { ...row, link: placeLink(row.link, accountId, domains) } : row);
      await yieldToOthers();
    }
    const plan = await planImport(rows, {
      settings,
      source,
      accountId,
      store,
      domains,
      blocks: dependencies.blocks,
      now,
      maxLinks,
      isDryRun: dryRun,
      pay: (count) => dependencies.aliasAnswers.pay(call, count, dryRun),
      known: await readKnownRows(rows, { store, accountId, source }),
    });
    const results = dryRun ? plan.map(toResult) : await carryOut(plan, { account, by, now });
    return toReport(results, dryRun);
  }

  async function carryOut(plan: PlannedRow[], options: AddOptions) {
    const limit = pLimit(ADDED_AT_ONCE);
    let failure: StoreUnavailableError | ServiceError | undefined;
    let added = 0;
    const results = await limit.map(plan, async (planned): Promise<ImportedRow> => {
      const result = toResult(planned);
      if (!planned.add) return result;
      if (failure) return notSaved(result, failure);
      try {
        const outcome = await add(planned, options);
        if (outcome.kind === 'store_full' || outcome.kind === 'anonymous_limit') {
          failure = noRoom(outcome.kind, options.now);
          return notSaved(result, failure);
        }
        if (outcome.kind === 'added') {
          added++;
          dependencies.traffic.created.import++;
        }
        return toAddedRow(planned, outcome, maxLinks);
      } catch (error) {
        if (!(error instanceof StoreUnavailableError)) throw error;
        failure = error;
        return notSaved(result, failure);
      }
    });
    if (failure && added === 0) throw failure;
    return results;
  }

  /** Adds a link with its alias or, if that was planned or is necessary, a generated one. */
  async function add({ alias, add: planned }: PlannedRow, options: AddOptions) {
    if (!planned) throw new Error('there is no link to add');
    const { account, by, now } = options;
    const room = roomFor(account, now, dependencies);
    const call = { accountId: account.id, by, now, room, maxLinks };
    const newLink = toNewLink({ ...planned, ...call, randomBytes });
    if (alias !== null) {
      const outcome = await store.addLink({ ...newLink, aliases: [alias] });
      if (outcome.kind !== 'alias_taken') return outcome;
    }
    const link = { ...newLink.link, aliasIsCustom: false };
    const aliases = generateAliases(randomBytes, planned.link.place);
    return store.addLink({ ...newLink, link, aliases });
  }
}

/** @throws ServiceError if no other row can be added either */
function toAddedRow(planned: PlannedRow, outcome: AddLinkOutcome, maxLinks: number): ImportedRow {
  const result = toResult(planned);
  switch (outcome.kind) {
    case 'added': {
      const { alias, previousAliases } = outcome.link;
      const isRenamed = planned.alias !== null && alias !== planned.alias;
      const left = (planned.add?.link.previousAliases.length ?? 0) - previousAliases.length;
      const notes = [
        ...(isRenamed ? ['The alias was taken meanwhile.'] : []),
        ...(left > 0 ? [`${left} previous aliases were taken meanwhile.`] : []),
      ];
      const status = isRenamed ? 'renamed' : result.status;
      return { ...result, status, alias, message: [...notes, result.message].join(' ').trim() };
    }
    case 'imported_before':
      return { ...result, status: 'duplicate', alias: null, message: IMPORTED_BEFORE };
    case 'quota_exceeded':
      return { ...result, status: 'failed', alias: null, message: tooManyImported(maxLinks) };
    case 'domain_unusable': {
      const message = 'The account can no longer use the domain of the link.';
      return { ...result, status: 'failed', alias: null, message };
    }
    case 'targets_too_long':
      return { ...result, status: 'failed', alias: null, message: TARGETS_TOO_LONG };
    case 'account_deleted':
      throw new ServiceError('invalid_token', 'The account was deleted during the import.');
    default:
      throw new Error(`an imported link can't be ${outcome.kind}`);
  }
}

function toResult({ row, status, alias, message }: PlannedRow): ImportedRow {
  return { row, status, alias, message };
}

function notSaved({ row }: ImportedRow, reason: Error): ImportedRow {
  const message =
    reason instanceof ServiceError
      ? `${reason.message} Import the file again then.`
      : 'The server could not save the link. Import the file again.';
  return { row, status: 'failed', alias: null, message };
}

function toReport(results: ImportedRow[], dryRun: boolean): ImportReport {
  const [imported = 0, renamed = 0, duplicates = 0, failed = 0] = IMPORT_STATUSES.map(
    (status) => results.filter((result) => result.status === status).length,
  );
  results.sort((a, b) => a.row - b.row);
  return { dryRun, rows: results.length, imported, renamed, duplicates, failed, results };
}

function busy(message: string): ServiceError {
  return new ServiceError('busy', message, { retryAfterSeconds: BUSY_RETRY_SECONDS });
}
