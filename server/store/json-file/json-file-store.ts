import { accessSync, constants } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import { Low } from 'lowdb';
import {
  type Account,
  type AddLinkOutcome,
  type EditLinkOutcome,
  type Link,
  type LinkChanges,
  type LinkCounts,
  type LinkEdit,
  type LinkWish,
  type Replay,
  type Store,
  StoreOpenError,
  type StoreOptions,
  StoreUnavailableError,
} from '../store.ts';
import { LINE_OVERHEAD_BYTES } from './checked-line.ts';
import type { OpenFile } from './durable-file.ts';
import { explainAccess } from './folder-access.ts';
import { lockFolder } from './folder-lock.ts';
import { GroupCommit } from './group-commit.ts';
import { HitCounter } from './hit-counter.ts';
import { JournalAdapter } from './journal-adapter.ts';
import { toLinkJson } from './link-json.ts';
import { Reservations } from './reservations.ts';
import { readOrMakeSecret } from './secret-file.ts';
import { type Change, State } from './state.ts';

const COMPACT_AT_BYTES = 16 * 1024 * 1024;
const FORGET_KEYS_MS = 1000;
/** How long what the last write said holds: a full disk may have room again soon. */
const SUCCESS_HOLDS_MS = 60_000;
const FAILURE_HOLDS_MS = 5000;
/** A line that changes nothing. */
const EMPTY_CHANGE: Change = { members: '"hits":[]', lastingBytes: 0 };
const MAX_KEYS_FORGOTTEN = 20_000;

export type JsonFileOptions = StoreOptions & {
  /** No compaction saves less than this. @default 16 MiB */
  compactAtBytes?: number;
  /** Opens the journals. @default `open` of node:fs/promises */
  openFile?: OpenFile;
};

/**
 * Opens the JSON-file store in a folder, which is made where there is none.
 *
 * @throws StoreOpenError the folder is in use, cannot be used, or holds what Curt cannot read
 */
export async function openJsonFileStore(folder: string, options: JsonFileOptions): Promise<Store> {
  const { clock, onError, onWarning = process.emitWarning } = options;
  const { compactAtBytes = COMPACT_AT_BYTES, openFile = open } = options;
  try {
    await makeFolder(folder);
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

async function makeFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // Compaction would find out only later.
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
 * All of it in memory, in lowdb's `Low`, which holds exactly what is on disk; what is on its way
 * there is only reserved. All that must be atomic happens between two awaits.
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
  #keysForgotten = 0;
  #changeCount = 0;
  /** A check under way, which all that ask meanwhile share. */
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
      this.#forgetOldKeys();
      try {
        await adapter.append(changes);
        this.#lastWrite = { at: clock(), failure: undefined };
      } catch (failure) {
        this.#lastWrite = { at: clock(), failure };
        throw failure;
      }
    });
    this.#hits = new HitCounter(
      (members) => this.#commit({ members, lastingBytes: 0 }),
      (number) => state.links.idOf(number),
      onError,
    );
  }

  secret(): Promise<Buffer> {
    return readOrMakeSecret(this.#folder).catch((error: unknown) => {
      throw toOpenError(this.#folder, error);
    });
  }

  findAccount(tokenHash: string): Account | undefined {
    return this.#state.accounts.find(tokenHash);
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
  addLink(wish: LinkWish): Promise<AddLinkOutcome> {
    const attempt = this.#tryToAdd(wish);
    if ('decided' in attempt) return attempt.decided.then(() => this.addLink(wish));
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

  get changeCount(): number {
    return this.#changeCount;
  }

  async checkWritable(): Promise<void> {
    if (this.#lastWrite) {
      const { at, failure } = this.#lastWrite;
      const age = this.#clock() - at;
      const holdsMs = failure ? FAILURE_HOLDS_MS : SUCCESS_HOLDS_MS;
      if (age >= 0 && age < holdsMs) {
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

  #forgetOldKeys(): void {
    const now = this.#clock();
    if (now < this.#keysForgotten + FORGET_KEYS_MS) return;
    this.#keysForgotten = now;
    this.#state.forgetOldKeys(now, MAX_KEYS_FORGOTTEN);
  }

  /** Resolves once a change is on disk that memory has no part in. */
  #commit(change: Change): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#commits.commit({ change, keep: resolve, drop: reject });
    });
  }

  /** Without an await: between its looks and its reservation nothing can come. */
  #tryToAdd(wish: LinkWish): AddLinkOutcome | Promise<AddLinkOutcome> | Undecided {
    const { idempotency } = wish;
    const { accountId, created } = wish.link;
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
    const isNew = wish.newAccount !== null;
    const used = isNew ? 0 : this.#state.accounts.links(accountId, created).month;
    if (used >= wish.monthlyQuota) return { kind: 'quota_exceeded' };
    if (used + this.#reserved.links(accountId) >= wish.monthlyQuota) {
      const decided = this.#reserved.linksDecided(accountId);
      if (decided) return { decided };
    }
    for (const alias of wish.aliases) {
      if (this.#state.links.has(alias)) continue;
      // Not passed over: an edit under way that takes it may give up one that was passed over.
      const decided = this.#reserved.aliasDecided(alias);
      if (decided) return { decided };
      return this.#add({ ...wish.link, alias }, wish);
    }
    return { kind: 'alias_taken' };
  }

  /** Without an await, too. Edits of one link wait for each other, since each writes all of it. */
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

  /** @param newAlias where the edit takes one */
  #edit(number: number, link: Link, newAlias: string | undefined): Promise<EditLinkOutcome> {
    // Hits have lines of their own.
    const linkJson = toLinkJson({ ...link, hits: 0 });
    const json = JSON.stringify(linkJson);
    const members = `"edit":${json}`;
    const lineBytes = Buffer.byteLength(members) + LINE_OVERHEAD_BYTES;
    const lastingBytes = lineBytes - this.#state.links.lineBytes(number);
    const reservation = this.#reserved.take({ alias: newAlias, linkId: link.id });
    return new Promise((resolve, reject) => {
      this.#commits.commit({
        change: { members, lastingBytes },
        keep: () => {
          this.#state.keepEdit(number, linkJson, json, this.#clock());
          this.#changeCount++;
          this.#reserved.release(reservation);
          resolve({ kind: 'edited', link });
        },
        drop: (error) => {
          this.#reserved.release(reservation);
          reject(error);
        },
      });
    });
  }

  #add(link: Link, { newAccount, idempotency }: LinkWish): Promise<AddLinkOutcome> {
    const linkJson = toLinkJson(link);
    const json = JSON.stringify(linkJson);
    const accountText = newAccount ? `"account":${JSON.stringify(newAccount)},` : '';
    const keyText = idempotency ? `"idempotency":${JSON.stringify(idempotency)},` : '';
    // The link last: on opening, its text is cut out of the line.
    const members = `${accountText}${keyText}"link":${json}`;
    const lastingBytes = members.length - keyText.length + LINE_OVERHEAD_BYTES;
    const { alias, accountId } = link;
    const reservation = this.#reserved.take({ alias, accountId, keyHash: idempotency?.keyHash });
    return new Promise((resolve, reject) => {
      this.#commits.commit({
        change: { members, lastingBytes },
        keep: () => {
          const linksInMonth = this.#state.keep(linkJson, json, newAccount, idempotency);
          this.#reserved.release(reservation);
          resolve({ kind: 'added', link, linksInMonth });
        },
        drop: (error) => {
          this.#reserved.release(reservation);
          reject(error);
        },
      });
    });
  }
}

function changed(link: Link, changes: LinkChanges, modified: number): Link {
  const isAskedFor = changes.alias !== undefined && changes.alias !== link.alias;
  return { ...link, ...changes, aliasIsCustom: link.aliasIsCustom || isAskedFor, modified };
}
