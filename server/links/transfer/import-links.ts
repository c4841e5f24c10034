import type { Readable } from 'node:stream';
import pLimit from 'p-limit';
import { IMPORT_BODY_MAX_BYTES } from '../../../shared/bounds.ts';
import { createKeyedMutex } from '../../../shared/keyed-mutex.ts';
import {
  IMPORT_STATUSES,
  type ImportedRow,
  type ImportQuery,
  type ImportReport,
} from '../../../shared/links/transfer.ts';
import { assertStillAuthorized } from '../../accounts/caller.ts';
import { noRoom, roomFor, storeFull } from '../../accounts/quota.ts';
import type { Settings } from '../../config.ts';
import { newId } from '../../lib/random-bytes.ts';
import { busy, ServiceError } from '../../lib/service-error.ts';
import type { Clock } from '../../lib/time.ts';
import { createTurns } from '../../lib/yield-to-others.ts';
import type { ClientAddress } from '../../limits/client-address.ts';
import type { AliasAnswers } from '../../limits/client-limits.ts';
import type { Memory } from '../../limits/heap-watch.ts';
import type { Traffic } from '../../metrics/traffic.ts';
import type { Account, Authorization } from '../../store/account.ts';
import type { AddLinkOutcome, LinkChanges } from '../../store/link-calls.ts';
import { StoreUnavailableError } from '../../store/store.ts';
import { type AliasDependencies, generateAliases } from '../aliases.ts';
import { TARGETS_TOO_LONG } from '../allowed-fields.ts';
import { editOwnLink, type OwnLinkDependencies, TOO_MANY_TAGS } from '../manage/own-link.ts';
import type { StatusDependencies } from '../to-link-record.ts';
import { startImport } from './import-status.ts';
import { type RowIssue, readRows } from './meaning/read-rows.ts';
import { type PlannedRow, placeRows, readKnown } from './place-rows.ts';
import { IMPORTED_BEFORE, planImport, tooManyImported } from './plan-import.ts';

export type ImportDependencies = AliasDependencies &
  StatusDependencies &
  OwnLinkDependencies & {
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
const BUSY_SECONDS = 10;
/** A report has up to 10,000 messages. */
const MESSAGE_MAX_CHARACTERS = 300;

const STOPPED = 'The import was stopped before this row.';

type ImportCall = ImportQuery & {
  file: Readable;
  account: Pick<Account, 'id' | 'isAnonymous' | 'monthlyQuota' | 'undoneImports'>;
  address: ClientAddress;
  by: Authorization;
};

type AddOptions = Pick<ImportCall, 'account' | 'address' | 'by'> & {
  importId: string;
  now: number;
};

/**
 * Creates the use case of `POST /api/links/import`.
 *
 * @see docs/api.md, "Import and export"
 */
export function createImporter(dependencies: ImportDependencies) {
  const { settings, store, clock, randomBytes, domains, memory } = dependencies;
  const runExclusive = createKeyedMutex({
    maxWaiting: 0,
    onFull: () =>
      busy('Another import of this account is running. Try again when it is done.', BUSY_SECONDS),
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
          throw busy(
            'Too many files are being imported on this server. Try again shortly.',
            BUSY_SECONDS,
          );
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
    const { file, account, address, by, dryRun } = call;
    const { about, given, rows } = await readRows(file, { ...call, reserve, nextTurn });
    // The upload may have taken long.
    await assertStillAuthorized(by, store);
    const now = clock();
    const importId = newId(randomBytes);
    const at = { accountId: account.id, importId, now, domains, nextTurn };
    const placed = await placeRows(rows, at);
    const plan = await planImport(placed, await readKnown(placed, account, dependencies), {
      ...dependencies,
      ...at,
      given,
      isUpdate: call.update,
      isDryRun: dryRun,
      pay: (count) => dependencies.aliasAnswers.pay(call, count, dryRun),
    });
    const options = { account, address, by, importId, now };
    const results = dryRun ? plan.map(toResult) : await carryOut(plan, options);
    return { dryRun, importId: dryRun ? null : importId, ...about, ...toSummary(results) };
  }

  async function carryOut(plan: PlannedRow[], options: AddOptions) {
    // A repeated import must not be the latest one, which can be undone.
    if (!plan.some(({ add, changes }) => add || changes)) return plan.map(toResult);
    const run = await startImport(options, plan.length, dependencies);
    let failure: StoreUnavailableError | ServiceError | undefined;
    let saved = 0;
    const carryOutRow = async (planned: PlannedRow): Promise<PlannedRow> => {
      if (!planned.add && !planned.changes) return planned;
      if (failure) return notSaved(planned, failure);
      if (run.isStopped) return without(planned, 'failed', STOPPED);
      try {
        if (planned.changes) return await update(planned, planned.changes, options);
        const outcome = await add(planned, options);
        if (outcome.kind !== 'store_full' && outcome.kind !== 'anonymous_limit') {
          return toAdded(planned, outcome);
        }
        failure = noRoom(outcome.kind, options.now);
      } catch (error) {
        if (!(error instanceof StoreUnavailableError)) throw error;
        failure = error;
      }
      return notSaved(planned, failure);
    };
    try {
      const results = await pLimit(ADDED_AT_ONCE).map(plan, async (planned) => {
        const done = await carryOutRow(planned);
        if (done.add || done.changes) saved++;
        await run.count();
        return toResult(done);
      });
      if (failure && saved === 0) throw failure;
      return results;
    } finally {
      await run.end();
    }
  }

  /** Changes a link as any edit does. */
  async function update(planned: PlannedRow, changes: LinkChanges, call: AddOptions) {
    try {
      await editOwnLink({ ...call, alias: planned.storedAlias ?? '' }, () => changes, dependencies);
      return planned;
    } catch (error) {
      if (error instanceof ServiceError) return without(planned, 'failed', error.message);
      throw error;
    }
  }

  /** Adds a link with its alias or, if that was planned or is necessary, a generated one. */
  async function add({ storedAlias, add: planned }: PlannedRow, options: AddOptions) {
    if (!planned) throw new Error('there is no link to add');
    const { account, by, now } = options;
    const link = { id: newId(randomBytes), ...planned.content };
    const call = {
      by,
      newAccount: null,
      idempotency: null,
      quota: settings.importMaxLinks,
      room: roomFor(account, now, dependencies),
    };
    for (const { id: linkId, accountId, version } of planned.replaces) {
      // If it was restored or edited meanwhile, it stays.
      await store.purgeLink({ linkId, accountId, by, version });
    }
    if (storedAlias !== null) {
      const outcome = await store.addLink({ ...call, link, aliases: [storedAlias] });
      if (outcome.kind !== 'alias_taken') return outcome;
    }
    const aliases = generateAliases(randomBytes, planned.place);
    return store.addLink({ ...call, link: { ...link, aliasIsCustom: false }, aliases });
  }

  /** @throws ServiceError if no other row can be added either */
  function toAdded(planned: PlannedRow, outcome: AddLinkOutcome): PlannedRow {
    const failed = (message: string) => without(planned, 'failed', message);
    switch (outcome.kind) {
      case 'added': {
        const { alias: storedAlias, previousAliases } = outcome.link;
        const isRenamed = planned.storedAlias !== null && storedAlias !== planned.storedAlias;
        const left = (planned.add?.content.previousAliases.length ?? 0) - previousAliases.length;
        const issues: RowIssue[] = [...planned.issues];
        if (left > 0) {
          const message = `${left} previous aliases were taken meanwhile.`;
          issues.unshift({ field: 'previousAliases', message });
        }
        if (isRenamed)
          issues.unshift({ field: 'alias', message: 'The alias was taken meanwhile.' });
        const status = isRenamed ? 'renamed' : planned.status;
        dependencies.traffic.created.import++;
        return { ...planned, status, storedAlias, issues };
      }
      case 'imported_before':
        return without(planned, 'duplicate', IMPORTED_BEFORE);
      case 'quota_exceeded':
        return failed(tooManyImported(settings.importMaxLinks));
      case 'domain_unusable':
        return failed('The account can no longer use the domain of the link.');
      case 'targets_too_long':
        return failed(TARGETS_TOO_LONG);
      case 'too_many_tags':
        return failed(TOO_MANY_TAGS);
      case 'account_deleted':
        throw new ServiceError('invalid_token', 'The account was deleted during the import.');
      default:
        throw new Error(`an imported link can't be ${outcome.kind}`);
    }
  }

  function without(
    planned: PlannedRow,
    status: 'failed' | 'duplicate',
    message: string,
  ): PlannedRow {
    const { row, source } = planned;
    return { row, source, status, storedAlias: null, issues: [{ field: null, message }] };
  }

  function notSaved(planned: PlannedRow, reason: Error) {
    const message =
      reason instanceof ServiceError
        ? `${reason.message} Import the file again then.`
        : 'The server could not save the link. Import the file again.';
    return without(planned, 'failed', message);
  }

  function toResult(planned: PlannedRow): ImportedRow {
    const { row, status, storedAlias, source, issues, isRestorable } = planned;
    const texts = issues.map(({ field, message }) =>
      // What was changed is said in a sentence of its own.
      status === 'failed' && field !== null ? `${field}: ${message}` : message,
    );
    return {
      row,
      status,
      alias: storedAlias,
      shortUrl: storedAlias === null ? null : domains.shortUrl(storedAlias),
      source,
      issues,
      ...(isRestorable && { isRestorable }),
      message: texts.join(' ').slice(0, MESSAGE_MAX_CHARACTERS),
    };
  }
}

function toSummary(results: ImportedRow[]) {
  const [imported = 0, renamed = 0, updated = 0, duplicates = 0, failed = 0] = IMPORT_STATUSES.map(
    (status) => results.filter((result) => result.status === status).length,
  );
  results.sort((a, b) => a.row - b.row);
  return { rows: results.length, imported, renamed, updated, duplicates, failed, results };
}
