import { accessSync, constants } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import { Low } from 'lowdb';
import type { LinkCounts, TokenOwner } from '../account.ts';
import type {
  AddLinkOutcome,
  EditLinkOutcome,
  Link,
  LinkChanges,
  LinkEdit,
  LinkPage,
  LinkQuery,
  NewLink,
  Replay,
} from '../link.ts';
import { type Store, StoreOpenError, type StoreOptions, StoreUnavailableError } from '../store.ts';
import type { Statistics, VisitsOfHour } from '../visits.ts';
import { LINE_OVERHEAD_BYTES } from './files/checked-line.ts';
import type { OpenFile } from './files/durable-file.ts';
import { explainAccess } from './files/folder-access.ts';
import { lockFolder } from './files/folder-lock.ts';
import { readOrCreateSecret } from './files/secret-file.ts';
import { GroupCommit } from './journal/group-commit.ts';
import { JournalAdapter } from './journal/journal-adapter.ts';
import { HitCounter } from './memory/hit-counter.ts';
import { toLinkJson } from './memory/link-json.ts';
import { Reservations } from './memory/reservations.ts';
import { type Change, State } from './memory/state.ts';

const COMPACT_AT_BYTES = 16 * 1024 * 1024;
const DELETE_KEYS_MS = 1000;
/** How long the result of the last write is valid for `checkWritable`. */
const SUCCESS_VALID_MS = 60_000;
const FAILURE_VALID_MS = 5000;
/** A change without effect, to test writing. */
const EMPTY_CHANGE: Change = { members: '"hits":[]', retainedBytes: 0 };
const MAX_KEYS_DELETED = 20_000;

export type JsonFileOptions = StoreOptions & {
  /** Minimum number of bytes that a compaction saves. @default 16 MiB */
  compactAtBytes?: number;
  /** Opens the journals. @default `open` of node:fs/promises */
  openFile?: OpenFile;
};

/**
 * Opens the JSON-file store in a folder, which is created if it does not exist.
 *
 * @throws StoreOpenError if the folder is in use, inaccessible, or contains unreadable data
 */
export async function openJsonFileStore(folder: string, options: JsonFileOptions): Promise<Store> {
  const { clock, onError, onWarning = process.emitWarning } = options;
  const { compactAtBytes = COMPACT_AT_BYTES, openFile = open } = options;
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
      });
      const low = new Low<State>(adapter, new State(clock()));
      await low.read();
      return new JsonFileStore(folder, low.data, adapter, unlock, options);
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
  // Otherwise only a later compaction would fail.
  accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
}

function toOpenError(folder: string, error: unknown): StoreOpenError {
  const explained = explainAccess(folder, error);
  if (explained instanceof StoreOpenError) return explained;
  return new StoreOpenError(`${folder} cannot be used: ${(error as Error).message}.`);
}

/** It hangs on a call that is under way. */
type Undecided = { decided: Promise<void> };

/**
 * Holds all data in memory, in lowdb's `Low`, which contains exactly what is on disk. Pending changes
 * are only reserved. Everything that must be atomic happens between two awaits.
 */
class JsonFileStore implements Store {
  readonly #folder: string;
  readonly #state: State;
  readonly #adapter: JournalAdapter;
  readonly #unlock: () => void;
  readonly #clock: () => number;
  readonly #commits: GroupCommit<Change>;
  readonly #hits: HitCounter;
  readonly #reserved = new Reservations();
  #keysDeletedAt = 0;
  #changeCount = 0;
  /** A pending check, which concurrent callers share. */
  #check: Promise<void> | undefined;
  #lastWrite: { at: number; failure: unknown } | undefined;

  constructor(
    folder: string,
    state: State,
    adapter: JournalAdapter,
    unlock: () => void,
    { clock, onError }: StoreOptions,
  ) {
    this.#folder = folder;
    this.#state = state;
    this.#adapter = adapter;
    this.#unlock = unlock;
    this.#clock = clock;
    this.#commits = new GroupCommit(async (changes) => {
      this.#deleteExpiredKeys();
      try {
        await adapter.append(changes);
        this.#lastWrite = { at: clock(), failure: undefined };
      } catch (failure) {
        this.#lastWrite = { at: clock(), failure };
        throw failure;
      }
    });
    this.#hits = new HitCounter(
      (members) => this.#commit({ members, retainedBytes: 0 }),
      (number) => state.links.idOf(number),
      onError,
    );
  }

  secret(): Promise<Buffer> {
    return readOrCreateSecret(this.#folder).catch((error: unknown) => {
      throw toOpenError(this.#folder, error);
    });
  }

  findToken(tokenHash: string): TokenOwner | undefined {
    const account = this.#state.accounts.find(tokenHash);
    if (!account) return undefined;
    const { id, created } = account;
    return {
      account,
      token: { id, accountId: id, tokenHash, name: '', scope: 'all', created, lastUsedOn: null },
    };
  }

  isAliasFree(alias: string): boolean {
    return !this.#state.links.has(alias);
  }

  purgeLink(): never {
    throw new Error('not yet implemented');
  }
  takeVisit(): never {
    throw new Error('not yet implemented');
  }
  listTokens(): never {
    throw new Error('not yet implemented');
  }
  addToken(): never {
    throw new Error('not yet implemented');
  }
  revokeToken(): never {
    throw new Error('not yet implemented');
  }
  markTokenUsed(): never {
    throw new Error('not yet implemented');
  }
  deleteAccount(): never {
    throw new Error('not yet implemented');
  }

  listLinks(query: LinkQuery): Promise<LinkPage> {
    return this.#state.listing.page(query);
  }

  async findLink(alias: string): Promise<Link | undefined> {
    return this.#state.links.find(alias)?.link;
  }

  countLinks(accountId: string, time: number): LinkCounts {
    return this.#state.accounts.links(accountId, time);
  }

  async findReplay(keyHash: string, now: number): Promise<Replay | undefined> {
    await this.#reserved.keyDecided(keyHash);
    return this.#state.replay(keyHash, now);
  }

  // Not async: the promise that the commit settles is the one that the caller awaits.
  addLink(newLink: NewLink): Promise<AddLinkOutcome> {
    const attempt = this.#tryToAdd(newLink);
    if ('decided' in attempt) return attempt.decided.then(() => this.addLink(newLink));
    return Promise.resolve(attempt);
  }

  editLink(edit: LinkEdit): Promise<EditLinkOutcome> {
    const attempt = this.#tryToEdit(edit);
    if ('decided' in attempt) return attempt.decided.then(() => this.editLink(edit));
    return Promise.resolve(attempt);
  }

  countHit(linkId: string): void {
    this.hitCounter(linkId)();
  }

  hitCounter(linkId: string): () => void {
    const number = this.#state.links.numberOf(linkId);
    if (number === undefined) return () => {};
    return () => {
      this.#state.links.addHits(number, 1);
      this.#hits.count(number);
    };
  }

  async addVisits(visits: VisitsOfHour[]): Promise<void> {
    const { statistics } = this.#state;
    const lines = statistics.toLines(visits).map(({ members, visits }) => {
      const change = { members, retainedBytes: 0 };
      return this.#commit(change, () => statistics.add(visits));
    });
    await Promise.all(lines);
  }

  async readStatistics(of: { linkId: string } | { accountId: string }): Promise<Statistics> {
    return this.#state.statistics.read(of, this.#clock());
  }

  get changeCount(): number {
    return this.#changeCount;
  }

  async checkWritable(): Promise<void> {
    if (this.#lastWrite) {
      const { at, failure } = this.#lastWrite;
      const age = this.#clock() - at;
      const validMs = failure ? FAILURE_VALID_MS : SUCCESS_VALID_MS;
      if (age >= 0 && age < validMs) {
        if (!failure) return;
        throw new StoreUnavailableError('The last write failed.', { cause: failure });
      }
    }
    this.#check ??= this.#commit(EMPTY_CHANGE).finally(() => {
      this.#check = undefined;
    });
    await this.#check;
  }

  async close(): Promise<void> {
    try {
      await this.#hits.close();
      await this.#commits.settled();
    } finally {
      await this.#adapter.close().finally(this.#unlock);
    }
  }

  #deleteExpiredKeys(): void {
    const now = this.#clock();
    if (now < this.#keysDeletedAt + DELETE_KEYS_MS) return;
    this.#keysDeletedAt = now;
    this.#state.deleteExpiredKeys(now, MAX_KEYS_DELETED);
  }

  /**
   * Resolves once a change is on disk.
   *
   * @param apply changes the memory, unless it has no part in it
   */
  #commit(change: Change, apply?: () => void): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#commits.commit({
        change,
        apply: () => {
          apply?.();
          resolve();
        },
        discard: reject,
      });
    });
  }

  /** Synchronous, so that nothing can change between its checks and its reservation. */
  #tryToAdd(newLink: NewLink): AddLinkOutcome | Promise<AddLinkOutcome> | Undecided {
    const { idempotency } = newLink;
    const { accountId, created } = newLink.link;
    if (idempotency) {
      const decided = this.#reserved.keyDecided(idempotency.keyHash);
      if (decided) return { decided };
      const replay = this.#state.replay(idempotency.keyHash, created);
      if (replay) {
        return replay.bodyHash === idempotency.bodyHash
          ? { kind: 'replayed', replay }
          : { kind: 'mismatch' };
      }
    }
    const isNew = newLink.newAccount !== null;
    const used = isNew ? 0 : this.#state.accounts.links(accountId, created).month;
    if (used >= newLink.monthlyQuota) return { kind: 'quota_exceeded' };
    if (used + this.#reserved.links(accountId) >= newLink.monthlyQuota) {
      const decided = this.#reserved.linksDecided(accountId);
      if (decided) return { decided };
    }
    for (const alias of newLink.aliases) {
      if (this.#state.links.has(alias)) continue;
      // Waits instead of skipping it: a pending edit that takes it may release an alias that was skipped.
      const decided = this.#reserved.aliasDecided(alias);
      if (decided) return { decided };
      return this.#add({ ...newLink.link, alias }, newLink);
    }
    return { kind: 'alias_taken' };
  }

  /** Synchronous, too. Edits of one link wait for each other, because each writes the whole link. */
  #tryToEdit({
    linkId,
    accountId,
    changes,
    modified,
  }: LinkEdit): EditLinkOutcome | Promise<EditLinkOutcome> | Undecided {
    const editDecided = this.#reserved.editDecided(linkId);
    if (editDecided) return { decided: editDecided };
    const number = this.#state.links.numberOf(linkId);
    if (number === undefined) return { kind: 'not_found' };
    const before = this.#state.links.read(number);
    if (before.accountId !== accountId) return { kind: 'not_found' };
    const link = changed(before, changes, modified);
    const isMoved = link.alias.toLowerCase() !== before.alias.toLowerCase();
    if (isMoved) {
      if (this.#state.links.has(link.alias)) return { kind: 'alias_taken' };
      const decided = this.#reserved.aliasDecided(link.alias);
      if (decided) return { decided };
    }
    return this.#edit(number, link, isMoved ? link.alias : undefined);
  }

  /** @param newAlias if the edit changes the alias */
  #edit(number: number, link: Link, newAlias: string | undefined): Promise<EditLinkOutcome> {
    // Hits are stored in separate lines.
    const linkJson = toLinkJson({ ...link, hits: 0 });
    const json = JSON.stringify(linkJson);
    const members = `"edit":${json}`;
    const lineBytes = Buffer.byteLength(members) + LINE_OVERHEAD_BYTES;
    const retainedBytes = lineBytes - this.#state.links.lineBytes(number);
    const reservation = this.#reserved.take({ alias: newAlias, linkId: link.id });
    return new Promise((resolve, reject) => {
      this.#commits.commit({
        change: { members, retainedBytes },
        apply: () => {
          this.#state.edit(number, linkJson, json, this.#clock());
          this.#changeCount++;
          this.#reserved.release(reservation);
          resolve({ kind: 'edited', link });
        },
        discard: (error) => {
          this.#reserved.release(reservation);
          reject(error);
        },
      });
    });
  }

  #add(link: Link, { newAccount, idempotency }: NewLink): Promise<AddLinkOutcome> {
    const linkJson = toLinkJson(link);
    const json = JSON.stringify(linkJson);
    const accountText = newAccount ? `"account":${JSON.stringify(newAccount)},` : '';
    const keyText = idempotency ? `"idempotency":${JSON.stringify(idempotency)},` : '';
    // The link is the last member, because its text is cut out of the line on opening.
    const members = `${accountText}${keyText}"link":${json}`;
    const retainedBytes = members.length - keyText.length + LINE_OVERHEAD_BYTES;
    const { alias, accountId } = link;
    const reservation = this.#reserved.take({ alias, accountId, keyHash: idempotency?.keyHash });
    return new Promise((resolve, reject) => {
      this.#commits.commit({
        change: { members, retainedBytes },
        apply: () => {
          const linksInMonth = this.#state.add(linkJson, json, newAccount, idempotency);
          this.#reserved.release(reservation);
          resolve({ kind: 'added', link, linksInMonth });
        },
        discard: (error) => {
          this.#reserved.release(reservation);
          reject(error);
        },
      });
    });
  }
}

function changed(link: Link, changes: LinkChanges, modified: number): Link {
  const isNewAlias = changes.alias !== undefined && changes.alias !== link.alias;
  return { ...link, ...changes, aliasIsCustom: link.aliasIsCustom || isNewAlias, modified };
}
