import { accessSync, constants } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import { Low } from 'lowdb';
import { HOUR_MS } from '../../core/durations.ts';
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
import type { AliasState } from '../decide/alias-state.ts';
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
import {
  type Store,
  type StoreMetrics,
  StoreOpenError,
  type StoreOptions,
  StoreUnavailableError,
} from '../store.ts';
import type { Statistics, VisitsOfHour } from '../visits.ts';
import { tryToAddAccount } from './changes/add-account.ts';
import { tryToAdd } from './changes/add-link.ts';
import { type ChangeContext, commitChange, untilDecided } from './changes/context.ts';
import { LinkEraser, tryToDeleteAccount } from './changes/delete-account.ts';
import { tryToEdit } from './changes/edit-link.ts';
import { HitCounter } from './changes/hit-counter.ts';
import { tryToPurge } from './changes/purge-link.ts';
import { Reservations } from './changes/reservations.ts';
import { purgeOutdated } from './changes/sweep.ts';
import { VisitTaker } from './changes/take-visit.ts';
import { TokenUses } from './changes/token-uses.ts';
import { tryToAddToken, tryToRevokeToken } from './changes/tokens.ts';
import { AuditFile } from './files/audit-file.ts';
import type { OpenFile } from './files/durable-file.ts';
import { explainAccess } from './files/folder-access.ts';
import { lockFolder } from './files/folder-lock.ts';
import type { Change } from './files/line-record.ts';
import { readOrCreateSecret } from './files/secret-file.ts';
import { GroupCommit } from './journal/group-commit.ts';
import { JournalAdapter } from './journal/journal-adapter.ts';
import { JsonAdministration } from './json-administration.ts';
import { State } from './memory/state.ts';

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
  readonly #context: ChangeContext;
  readonly #reserved = new Reservations();
  readonly #hits: HitCounter;
  readonly #visits: VisitTaker;
  readonly #tokenUses: TokenUses;
  readonly #eraser: LinkEraser;
  readonly #maintenance: Maintenance;
  readonly #audit: AuditFile;
  readonly administration: JsonAdministration;
  #keysDeletedAt = 0;
  #changeCount = 0;
  #failedWrites = 0;
  /** A pending check, which concurrent callers share. */
  #check: Promise<void> | undefined;
  #lastWrite: { at: number; failure: unknown } | undefined;

  constructor(
    folder: string,
    state: State,
    adapter: JournalAdapter,
    unlock: () => void,
    { clock, onError, openFile = open, maintainEveryMs = HOUR_MS }: JsonFileOptions,
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
        this.#failedWrites++;
        throw failure;
      }
    });
    this.#context = {
      state,
      reserved: this.#reserved,
      commits: this.#commits,
      clock,
      countChange: () => {
        this.#changeCount++;
      },
    };
    this.#audit = new AuditFile(folder, openFile);
    this.administration = new JsonAdministration(this.#context, this.#audit);
    const commit = (members: string) => this.#commit({ members, retainedBytes: 0 });
    this.#hits = new HitCounter(commit, (number) => state.links.isErased(number), onError);
    this.#visits = new VisitTaker(this.#context, this.#hits);
    this.#tokenUses = new TokenUses(state, commit, onError);
    this.#eraser = new LinkEraser(state);
    this.#eraser.start();
    this.#maintenance = new Maintenance(
      async (isClosed) => {
        await purgeOutdated(this.#context, isClosed);
        // A compaction starts with a write.
        if (!isClosed() && adapter.isErasureDue()) await this.#commit(EMPTY_CHANGE);
        await adapter.removeErased();
      },
      maintainEveryMs,
      onError,
    );
  }

  secret(): Promise<Buffer> {
    const { hasIdentities } = this.#state.accounts;
    return readOrCreateSecret(this.#folder, hasIdentities).catch((error: unknown) => {
      throw toOpenError(this.#folder, error);
    });
  }

  findToken(tokenHash: string): TokenOwner | undefined {
    return this.#state.findToken(tokenHash);
  }

  findAccountByIdentity(identityHash: string): Account | undefined {
    return this.#state.accounts.findByIdentity(identityHash);
  }

  addAccount(account: Account): Promise<Account> {
    return untilDecided(() => tryToAddAccount(this.#context, account));
  }

  listLinks(query: LinkQuery): Promise<LinkPage> {
    return this.#state.listing.page(query);
  }

  async findLink(alias: string): Promise<Link | undefined> {
    return this.#state.findLink(alias);
  }

  isAliasFree(alias: string, accountId?: string): boolean {
    return this.#state.aliasState(alias, accountId) !== 'taken';
  }

  aliasStates(aliases: readonly string[], accountId: string): AliasState[] {
    return aliases.map((alias) => this.#state.aliasState(alias, accountId));
  }

  findImportKeys(accountId: string, keys: readonly string[]): Set<string> {
    return new Set(keys.filter((key) => this.#state.links.hasImportKey(accountId, key)));
  }

  countLinks(accountId: string, time: number): LinkCounts {
    return this.#state.accounts.links(accountId, time);
  }

  async findReplay(keyHash: string, now: number): Promise<Replay | undefined> {
    await this.#reserved.keyDecided(keyHash);
    return this.#state.replay(keyHash, now);
  }

  addLink(newLink: NewLink): Promise<AddLinkOutcome> {
    return untilDecided(() => tryToAdd(this.#context, newLink));
  }

  editLink(edit: LinkEdit): Promise<EditLinkOutcome> {
    return untilDecided(() => tryToEdit(this.#context, edit));
  }

  purgeLink(link: LinkPurge): Promise<PurgeLinkOutcome> {
    return untilDecided(() => tryToPurge(this.#context, link));
  }

  countHit(linkId: string): void {
    this.hitCounter(linkId)();
  }

  hitCounter(linkId: string): () => void {
    const number = this.#state.links.numberOf(linkId);
    if (number === undefined) return () => {};
    return () => {
      this.#state.links.addHits(number, 1);
      this.#hits.count(number, linkId);
    };
  }

  async addVisits(visits: VisitsOfHour[]): Promise<void> {
    const { statistics } = this.#state;
    const lines = this.#state.toVisitLines(visits).map(({ members, visits, numbers }) => {
      const change = { members, retainedBytes: 0 };
      return commitChange(this.#context, {}, change, () => statistics.add(visits, numbers));
    });
    await Promise.all(lines);
  }

  async readStatistics(of: { linkId: string } | { accountId: string }): Promise<Statistics> {
    return this.#state.statistics.read(of, this.#clock());
  }

  takeVisit(linkId: string): Promise<boolean> {
    return untilDecided(() => this.#visits.tryToTake(linkId));
  }

  async listTokens(accountId: string): Promise<Token[]> {
    return this.#state.listTokens(accountId);
  }

  addToken(newToken: NewToken): Promise<AddTokenOutcome> {
    return untilDecided(() => tryToAddToken(this.#context, newToken));
  }

  revokeToken(revocation: TokenRevocation): Promise<RevokeTokenOutcome> {
    return untilDecided(() => tryToRevokeToken(this.#context, revocation));
  }

  markTokenUsed(token: Pick<Token, 'id' | 'accountId'>, time: number): void {
    this.#tokenUses.mark(token, time);
  }

  async deleteAccount(deletion: AccountDeletion): Promise<void> {
    await untilDecided(() => tryToDeleteAccount(this.#context, deletion));
    this.#eraser.start();
  }

  get counters(): undefined {
    return undefined;
  }

  get blocks(): Blocks {
    return this.#state.blocks;
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

  metrics(): StoreMetrics {
    return {
      ...this.#adapter.metrics(),
      pendingChanges: this.#commits.pendingChanges,
      failedWrites: this.#failedWrites,
    };
  }

  async close(): Promise<void> {
    try {
      await this.#maintenance.close();
      await this.#eraser.close();
      await Promise.all([this.#hits.close(), this.#tokenUses.close(), this.#audit.close()]);
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

  /** Resolves once a change is on disk that memory has no part in. */
  #commit(change: Change): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#commits.commit({ change, apply: resolve, discard: reject });
    });
  }
}
