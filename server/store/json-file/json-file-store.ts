import { accessSync, constants } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import { Low } from 'lowdb';
import { RESTORABLE_MS } from '../../../shared/bounds.ts';
import { systemTime, type Time } from '../../../shared/time.ts';
import { DAY_MS, HOUR_MS, hourNumber } from '../../lib/time.ts';
import { changedLink } from '../link.ts';
import { administrationChanges, plainChanges } from '../plain-changes.ts';
import type { StoreRecord } from '../records.ts';
import { deleteAccount } from '../rules/accounts.ts';
import { addLink, findReplay } from '../rules/add-link.ts';
import { aliasState } from '../rules/aliases.ts';
import type { Facts } from '../rules/change.ts';
import { countVisit } from '../rules/edit-link.ts';
import { importQuota, monthlyQuota, usedOf } from '../rules/quota.ts';
import { tokensOf } from '../rules/sign-in-codes.ts';
import { certainTime, openDays } from '../rules/uptime.ts';
import { toLinkVisits } from '../statistics/link-visits.ts';
import type { Store, StoreOptions } from '../store.ts';
import { ChangeQueue } from './change-queue.ts';
import { FolderData } from './data/folder-data.ts';
import { toVisitsJson } from './data/stored-statistics.ts';
import { startErasure } from './erasure.ts';
import { AuditFile } from './files/audit-file.ts';
import { lockFolder, toOpenError } from './files/folder.ts';
import { UPGRADES } from './files/formats.ts';
import { readLastBackup, readOrCreateSecret } from './files/small-files.ts';
import { JournalAdapter, type JournalAdapterOptions } from './journal.ts';
import { Lists } from './lists.ts';
import { assertNotNewer } from './loading/load-folder.ts';

/** More would make a line that takes too long to write and to apply. */
const VISITED_LINKS_A_LINE = 1000;

const DEFAULTS = {
  time: systemTime,
  onWarning: process.emitWarning,
  compactAtBytes: 16 * 1024 * 1024,
  openFile: open,
  backupGraceMs: HOUR_MS,
  upgrades: UPGRADES,
};

export type JsonFileOptions = StoreOptions & Partial<Omit<JournalAdapterOptions, 'folder'>>;

/** Also says when it is at rest. */
export type JsonFileStore = Store & {
  /** Resolves when no change and no snapshot is being written. */
  settled(): Promise<void>;
};

/**
 * Opens the JSON-file store in a folder, which is created if it does not exist.
 *
 * @throws StoreOpenError if the folder is in use, inaccessible, or contains unreadable data
 */
export async function openJsonFileStore(
  folder: string,
  options: JsonFileOptions,
): Promise<JsonFileStore> {
  const settings: JournalAdapterOptions = { ...DEFAULTS, ...options, folder };
  try {
    assertNotNewer(folder, settings.upgrades);
    await createFolder(folder);
    const unlock = lockFolder(folder);
    try {
      const adapter = new JournalAdapter(settings);
      const low = new Low<FolderData>(adapter, new FolderData(settings.time.now));
      await low.read();
      return storeOf(low, adapter, unlock, settings);
    } catch (error) {
      unlock();
      throw error;
    }
  } catch (error) {
    throw toOpenError(folder, error);
  }
}

async function createFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // Otherwise only a later snapshot would fail.
  accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
}

/** All data is in memory, in lowdb's `Low`, which contains exactly what is on disk. */
function storeOf(
  low: Low<FolderData>,
  adapter: JournalAdapter,
  unlock: () => void,
  { folder, time, onError, openFile }: JournalAdapterOptions,
): JsonFileStore {
  const { data } = low;
  const clock = time.now;
  const changes = new ChangeQueue(low, clock);
  const lists = new Lists(data);
  const hits = startHits(data, changes, onError, time);
  const audit = new AuditFile(folder, openFile);
  const erasure = startErasure({ data, changes, lists, adapter, time }, onError);
  const stateOf = (alias: string, accountId: string | undefined) =>
    aliasState(data.holder(alias.toLowerCase()), accountId);

  return {
    ...plainChanges(changes),
    administration: {
      ...administrationChanges(changes, (linkId) => data.link(linkId)?.accountId),
      findAccount: async (id) => data.account(id),
      listAccounts: (query) => lists.accounts(query),
      countPerDay: (from) => lists.perDay(from),
      hasAliases: (host) => lists.hasAliases(host),
      findLinkById: async (id) => data.link(id),
      listReports: async () => [...data.reportedLinks()],
      countReportedLinks: async () => [...data.reportedLinks()].length,
      addAuditEntry: (entry) => audit.append(entry),
      listAuditEntries: (query) => audit.list(query),
      lastBackup: () => readLastBackup(folder),
    },
    growsInMemory: true,
    counters: undefined,
    secret: () =>
      readOrCreateSecret(folder, data.hasIdentities).catch((error: unknown) => {
        throw toOpenError(folder, error);
      }),
    findToken: (tokenHash) => data.findToken(tokenHash),
    findTokenHash: (start) => data.findTokenHash(start),
    findAccountByIdentity: (identityHash) => data.accountByIdentity(identityHash),
    findLink: async (alias) => data.findLink(alias),
    knownLink: (alias) => data.findLink(alias),
    isAliasFree: (alias, accountId) => stateOf(alias, accountId) !== 'taken',
    aliasStates: (aliases, accountId) => aliases.map((alias) => stateOf(alias, accountId)),
    findImportKeys: (accountId, keys) =>
      new Set(keys.filter((key) => data.hasImportKey(accountId, key))),
    countLinks: (accountId, time) => ({
      month: usedOf(data, monthlyQuota(accountId, time)),
      total: data.linksOf(accountId)?.count ?? 0,
      imported: usedOf(data, importQuota(accountId)),
    }),
    findReplay: async (keyHash, now) => findReplay(data, keyHash, now),
    addLink: (newLink) => changes.make(addLink(newLink)),
    listLinks: (query) => lists.links(query),
    countTags: async (accountId, limit) => data.tagsOf(accountId)?.mostUsed(limit) ?? [],
    countHit: (linkId) => {
      const link = data.link(linkId);
      if (!link) return;
      link.hits++;
      hits.add(linkId);
    },
    /** Hits are counted at once, so that the next visit is decided with them, and uncounted if that fails. */
    takeVisit: async (linkId) => {
      let isCounted = false;
      const decide = (facts: Facts) => {
        const link = data.link(linkId);
        const pending = facts.get('link', linkId);
        const decision = countVisit(link && pending && changedLink(pending, { hits: link.hits }));
        isCounted = decision.outcome;
        if (link && isCounted) link.hits++;
        return decision;
      };
      try {
        return await changes.make({ decide });
      } catch (error) {
        const link = data.link(linkId);
        if (link && isCounted) link.hits--;
        throw error;
      }
    },
    addVisits: async (visits) => {
      const accountOf = (linkId: string) => data.link(linkId)?.accountId;
      const lines: Promise<void>[] = [];
      for (let start = 0; start < visits.length; start += VISITED_LINKS_A_LINE) {
        const part = visits.slice(start, start + VISITED_LINKS_A_LINE);
        const ofLinks = toLinkVisits(part, accountOf);
        if (ofLinks.length === 0) continue;
        const line = { visits: toVisitsJson(ofLinks) };
        lines.push(changes.append(line, () => data.addVisits(ofLinks)));
      }
      await Promise.all(lines);
    },
    readStatistics: async (of) =>
      'tag' in of ? lists.statistics(of, hourNumber(clock())) : data.statistics.read(of, clock()),
    readVisitsPerDay: (linkIds, from) => data.statistics.readPerDay(linkIds, from),
    listTokens: async (accountId) => tokensOf(data, accountId),
    markTokenUsed: ({ id, accountId }, time) => {
      const token = data.tokens(accountId).find((each) => each.id === id);
      const lastUsedOn = time - (time % DAY_MS);
      if (!token || lastUsedOn <= (token.lastUsedOn ?? 0)) return;
      const used: StoreRecord = ['token', token.tokenHash, { ...token, lastUsedOn }];
      data.apply(used);
      // It may have been revoked by a change that is being written.
      const decide = (facts: Facts) => {
        const isValid = facts.get('token', token.tokenHash) !== undefined;
        return { outcome: undefined, records: isValid ? [used] : [] };
      };
      changes.make({ decide }).catch(onError);
    },
    deleteAccount: async (deletion) => {
      await changes.make(deleteAccount(deletion));
      erasure.eraseLinks();
    },
    certainTime: (now) => certainTime(openDays(data), now, RESTORABLE_MS),
    get blocks() {
      return data.blocks;
    },
    get domains() {
      return data.domains;
    },
    checkWritable: () => changes.checkWritable(),
    metrics: () => {
      const { pendingCount: pendingChanges, failedWrites } = changes;
      return { ...adapter.metrics(), pendingChanges, failedWrites };
    },
    overview: async () => ({
      location: folder,
      links: data.allLinks.count,
      isNew: adapter.isNew,
    }),
    settled: async () => {
      await changes.settled();
      await adapter.settled();
    },
    close: async () => {
      adapter.endSnapshot();
      try {
        await erasure.close();
        await Promise.all([hits.close(), audit.close()]);
        await changes.settled();
      } finally {
        await adapter.close().finally(unlock);
      }
    },
  };
}

/** How long hits may be delayed: a crash loses those of this time. */
const WRITE_MS = 1000;
/** More would make a line that takes too long to write. */
const RECORDS_A_LINE = 5000;

/** Remembers which links have new hits, and writes them once a second. */
function startHits(
  data: FolderData,
  changes: ChangeQueue,
  onError: (error: unknown) => void,
  time: Time,
) {
  let linkIds = new Set<string>();
  let cancelWrite: (() => void) | undefined;

  /** The link's hits in memory have grown. */
  const add = (linkId: string) => {
    linkIds.add(linkId);
    cancelWrite ??= time.after(WRITE_MS, () => write().catch(onError));
  };
  const toRecord = (linkId: string): StoreRecord[] => {
    const link = data.link(linkId);
    return link ? [['hits', linkId, link.hits]] : [];
  };
  const write = async () => {
    cancelWrite?.();
    cancelWrite = undefined;
    const written = [...linkIds];
    linkIds = new Set();
    const lines: Promise<void>[] = [];
    for (let start = 0; start < written.length; start += RECORDS_A_LINE) {
      const records = written.slice(start, start + RECORDS_A_LINE).flatMap(toRecord);
      // No decision depends on it, and memory has it.
      lines.push(changes.append({ records }, () => {}));
    }
    try {
      await Promise.all(lines);
    } catch (error) {
      for (const linkId of written) add(linkId);
      throw error;
    }
  };
  /** Writes what is left. */
  const close = () => write().finally(() => cancelWrite?.());

  return { add, close };
}
