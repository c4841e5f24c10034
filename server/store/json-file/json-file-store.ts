import { accessSync, constants } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Low } from 'lowdb';
import { DAY_MS, HOUR_MS } from '../../lib/durations.ts';
import type {
  Account,
  AccountDeletion,
  AddTokenOutcome,
  LinkCounts,
  NewToken,
  RevokeTokenOutcome,
  Token,
  TokenOwner,
  TokenRevocation,
} from '../account.ts';
import type { Blocks } from '../blocks.ts';
import { addAccount } from '../decide/accounts.ts';
import { hasExpired } from '../decide/add-link.ts';
import { type AliasState, aliasState } from '../decide/aliases.ts';
import { isGone } from '../decide/edit-link.ts';
import {
  addLinkIn,
  addTokenIn,
  countLinks,
  deleteAccountIn,
  editLinkIn,
  originalOf,
  purgeLinkIn,
  revokeTokenIn,
} from '../decide/in-view.ts';
import { takeVisit } from '../decide/take-visit.ts';
import type {
  AddLinkOutcome,
  EditLinkOutcome,
  Link,
  LinkEdit,
  LinkPage,
  LinkPurge,
  LinkQuery,
  NewLink,
  PurgeLinkOutcome,
  Replay,
} from '../link.ts';
import { Maintenance } from '../maintenance.ts';
import { toLinkVisits } from '../statistics/link-visits.ts';
import {
  type Store,
  type StoreMetrics,
  type StoreOptions,
  StoreUnavailableError,
} from '../store.ts';
import type { Statistics, VisitsOfHour, VisitsPerDay } from '../visits.ts';
import { Changes } from './changes.ts';
import { Data } from './data/data.ts';
import { toVisitsJson } from './data/visits-json.ts';
import { AuditFile } from './files/audit-file.ts';
import type { OpenFile } from './files/durable-file.ts';
import { toOpenError } from './files/folder-access.ts';
import { lockFolder } from './files/folder-lock.ts';
import { readOrCreateSecret } from './files/secret-file.ts';
import { JournalAdapter } from './journal/journal-adapter.ts';
import { JsonAdministration } from './json-administration.ts';
import { Lists } from './lists.ts';
import { UnsavedHits } from './unsaved-hits.ts';

const COMPACT_AT_BYTES = 16 * 1024 * 1024;
/** How long the result of the last write is valid for `checkWritable`. */
const SUCCESS_VALID_MS = 60_000;
const FAILURE_VALID_MS = 5000;
/** A change without effect, to test writing. */
const NOTHING = '"records":[]';
/** More would make a line that takes too long to write and to apply. */
const VISITED_LINKS_A_LINE = 1000;
/** Purges that share a write. */
const PURGED_TOGETHER = 500;

export type JsonFileOptions = StoreOptions & {
  /**
   * Size of the journals at which a snapshot replaces them, unless the snapshot before is larger.
   * @default 16 MiB
   */
  compactAtBytes?: number;
  /** Opens the journals and the audit log. @default `open` of node:fs/promises */
  openFile?: OpenFile;
  /** How often to purge what was deleted long ago, and to erase what was purged from the disk. @default 1 hour */
  maintainEveryMs?: number;
  /** How long files with erased content are kept for backups that are being made. @default 1 hour */
  backupGraceMs?: number;
};

/**
 * Opens the JSON-file store in a folder, which is created if it does not exist.
 *
 * @throws StoreOpenError if the folder is in use, inaccessible, or contains unreadable data
 */
export async function openJsonFileStore(folder: string, options: JsonFileOptions): Promise<Store> {
  const { clock, onError, onWarning = process.emitWarning } = options;
  const { compactAtBytes = COMPACT_AT_BYTES, openFile = open, backupGraceMs = HOUR_MS } = options;
  try {
    await createFolder(folder);
    const unlock = lockFolder(folder);
    try {
      const adapter = new JournalAdapter({
        folder,
        clock,
        onError,
        onWarning,
        compactAtBytes,
        openFile,
        backupGraceMs,
      });
      const low = new Low<Data>(adapter, new Data(clock));
      await low.read();
      return new JsonFileStore(folder, low, adapter, unlock, options);
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

/** Holds all data in memory, in lowdb's `Low`, which contains exactly what is on disk. */
class JsonFileStore implements Store {
  readonly administration: JsonAdministration;
  readonly counters = undefined;
  readonly #folder: string;
  readonly #data: Data;
  readonly #adapter: JournalAdapter;
  readonly #unlock: () => void;
  readonly #clock: () => number;
  readonly #changes: Changes;
  readonly #lists: Lists;
  readonly #unsavedHits: UnsavedHits;
  readonly #audit: AuditFile;
  readonly #maintenance: Maintenance;
  #erasing: Promise<void> | undefined;
  #isClosed = false;
  /** A pending check, which concurrent callers share. */
  #check: Promise<void> | undefined;

  constructor(
    folder: string,
    low: Low<Data>,
    adapter: JournalAdapter,
    unlock: () => void,
    { clock, onError, openFile = open, maintainEveryMs = HOUR_MS }: JsonFileOptions,
  ) {
    this.#folder = folder;
    this.#data = low.data;
    this.#adapter = adapter;
    this.#unlock = unlock;
    this.#clock = clock;
    this.#changes = new Changes(low, clock);
    this.#lists = new Lists(low.data);
    this.#unsavedHits = new UnsavedHits(low.data, this.#changes, onError);
    this.#audit = new AuditFile(folder, openFile);
    this.administration = new JsonAdministration(low.data, this.#changes, this.#lists, this.#audit);
    this.#eraseLinks();
    this.#maintenance = new Maintenance(() => this.#maintain(), maintainEveryMs, onError);
  }

  secret(): Promise<Buffer> {
    return readOrCreateSecret(this.#folder, this.#data.hasIdentities).catch((error: unknown) => {
      throw toOpenError(this.#folder, error);
    });
  }

  findToken(tokenHash: string): TokenOwner | undefined {
    return this.#data.findToken(tokenHash);
  }

  findAccountByIdentity(identityHash: string): Account | undefined {
    return this.#data.accountByIdentity(identityHash);
  }

  addAccount(account: Account): Promise<Account> {
    const { identityHash = '' } = account;
    return this.#changes.make((view) => addAccount(account, view.accountByIdentity(identityHash)));
  }

  async findLink(alias: string): Promise<Link | undefined> {
    return this.#data.findLink(alias);
  }

  knownLink(alias: string): Link | undefined {
    return this.#data.findLink(alias);
  }

  isAliasFree(alias: string, accountId?: string): boolean {
    return aliasState(this.#data.holder(alias.toLowerCase()), accountId) !== 'taken';
  }

  aliasStates(aliases: readonly string[], accountId: string): AliasState[] {
    return aliases.map((alias) => aliasState(this.#data.holder(alias.toLowerCase()), accountId));
  }

  findImportKeys(accountId: string, keys: readonly string[]): Set<string> {
    return new Set(keys.filter((key) => this.#data.hasImportKey(accountId, key)));
  }

  countLinks(accountId: string, time: number): LinkCounts {
    return countLinks(this.#data, accountId, time);
  }

  async findReplay(keyHash: string, now: number): Promise<Replay | undefined> {
    const key = this.#data.usedKey(keyHash);
    const link = key && !hasExpired(key, now) && originalOf(this.#data, key);
    return link ? { keyHash, bodyHash: key.bodyHash, tokenSalt: key.tokenSalt, link } : undefined;
  }

  addLink(newLink: NewLink): Promise<AddLinkOutcome> {
    return this.#changes.make((view) => addLinkIn(view, newLink));
  }

  editLink(edit: LinkEdit): Promise<EditLinkOutcome> {
    return this.#changes.make((view) => editLinkIn(view, edit));
  }

  purgeLink(purge: LinkPurge): Promise<PurgeLinkOutcome> {
    return this.#changes.make((view) => purgeLinkIn(view, purge));
  }

  listLinks(query: LinkQuery): Promise<LinkPage> {
    return this.#lists.links(query);
  }

  countHit(linkId: string): void {
    const link = this.#data.link(linkId);
    if (!link) return;
    link.hits++;
    this.#unsavedHits.addHit(linkId);
  }

  /** Hits are counted at once, so that the next visit is decided with them, and uncounted if that fails. */
  async takeVisit(linkId: string): Promise<boolean> {
    let isCounted = false;
    try {
      return await this.#changes.make((view) => {
        const link = this.#data.link(linkId);
        const pending = view.link(linkId);
        const decision = takeVisit(link && pending && { ...pending, hits: link.hits });
        isCounted = decision.outcome;
        if (link && isCounted) link.hits++;
        return decision;
      });
    } catch (error) {
      const link = this.#data.link(linkId);
      if (link && isCounted) link.hits--;
      throw error;
    }
  }

  async addVisits(visits: VisitsOfHour[]): Promise<void> {
    const accountOf = (linkId: string) => this.#data.link(linkId)?.accountId;
    const lines: Promise<void>[] = [];
    for (let start = 0; start < visits.length; start += VISITED_LINKS_A_LINE) {
      const part = visits.slice(start, start + VISITED_LINKS_A_LINE);
      const json = toVisitsJson(toLinkVisits(part, accountOf));
      if (json.links.length === 0) continue;
      const members = `"visits":${JSON.stringify(json)}`;
      lines.push(this.#changes.append(members, () => this.#data.addVisits(json)));
    }
    await Promise.all(lines);
  }

  async readStatistics(of: { linkId: string } | { accountId: string }): Promise<Statistics> {
    return this.#data.statistics.read(of, this.#clock());
  }

  readVisitsPerDay(linkIds: readonly string[], from: number): VisitsPerDay {
    return this.#data.statistics.readPerDay(linkIds, from);
  }

  async listTokens(accountId: string): Promise<Token[]> {
    return this.#data.listTokens(accountId);
  }

  addToken(newToken: NewToken): Promise<AddTokenOutcome> {
    return this.#changes.make((view) => addTokenIn(view, newToken));
  }

  revokeToken(revocation: TokenRevocation): Promise<RevokeTokenOutcome> {
    return this.#changes.make((view) => revokeTokenIn(view, revocation));
  }

  markTokenUsed({ id, accountId }: Pick<Token, 'id' | 'accountId'>, time: number): void {
    const token = this.#data.tokens(accountId).find((each) => each.id === id);
    if (token) this.#unsavedHits.addUse(token.tokenHash, Math.floor(time / DAY_MS));
  }

  async deleteAccount(deletion: AccountDeletion): Promise<void> {
    await this.#changes.make((view) => deleteAccountIn(view, deletion));
    this.#eraseLinks();
  }

  get blocks(): Blocks {
    return this.#data.blocks;
  }

  async checkWritable(): Promise<void> {
    const { lastWrite } = this.#changes;
    if (lastWrite) {
      const { at, failure } = lastWrite;
      const age = this.#clock() - at;
      const validMs = failure ? FAILURE_VALID_MS : SUCCESS_VALID_MS;
      if (age >= 0 && age < validMs) {
        if (!failure) return;
        throw new StoreUnavailableError('The last write failed.', { cause: failure });
      }
    }
    this.#check ??= this.#changes.append(NOTHING).finally(() => {
      this.#check = undefined;
    });
    await this.#check;
  }

  metrics(): StoreMetrics {
    const { pendingCount: pendingChanges, failedWrites } = this.#changes;
    return { ...this.#adapter.metrics(), pendingChanges, failedWrites };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    try {
      await this.#maintenance.close();
      await this.#erasing;
      await Promise.all([this.#unsavedHits.close(), this.#audit.close()]);
      await this.#changes.settled();
    } finally {
      await this.#adapter.close().finally(this.#unlock);
    }
  }

  /** Removes links of deleted accounts from memory, a few at a time. They are invisible before. */
  #eraseLinks(): void {
    const erase = async () => {
      do await nextTurn();
      while (!this.#isClosed && this.#data.eraseSomeLinks());
      this.#erasing = undefined;
    };
    this.#erasing ??= erase();
  }

  async #maintain(): Promise<void> {
    await this.#purgeOutdated();
    // A snapshot starts with a write.
    if (!this.#isClosed && this.#adapter.isErasureDue()) await this.#changes.append(NOTHING);
    await this.#adapter.removeErased();
  }

  /** Purges the links that were deleted too long ago to be restored, except blocked ones. */
  async #purgeOutdated(): Promise<void> {
    const now = this.#clock();
    const mayPurge = (link: Link) => isGone(link, now);
    const links = await this.#lists.find(mayPurge);
    for (let start = 0; start < links.length && !this.#isClosed; start += PURGED_TOGETHER) {
      const part = links.slice(start, start + PURGED_TOGETHER);
      await Promise.all(
        part.map(({ id: linkId, accountId }) =>
          this.#changes.make((view) =>
            purgeLinkIn(view, { linkId, accountId, by: { kind: 'administrator' } }, mayPurge),
          ),
        ),
      );
    }
  }
}
