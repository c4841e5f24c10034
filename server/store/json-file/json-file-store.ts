import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Low } from 'lowdb';
import { IDEMPOTENCY_WINDOW_MS } from '../../../shared/limits.ts';
import {
  type Account,
  type AddLinkOutcome,
  type Idempotency,
  type Link,
  type LinkCounts,
  type LinkWish,
  monthOf,
  type Replay,
  type Store,
  StoreOpenError,
  type StoreOptions,
} from '../store.ts';
import { type Data, emptyData } from './data.ts';
import { DurableJsonFile } from './durable-json-file.ts';
import { lockFolder } from './folder-lock.ts';
import { GroupCommit } from './group-commit.ts';
import { readOrMakeSecret } from './secret-file.ts';

/** Hits may lag by this much, and a crash may lose as much. */
const HITS_WRITE_MS = 1000;

type Remembered = Data['idempotency'][number];

/**
 * Opens the JSON-file store in a folder, which is made where there is none.
 *
 * @throws StoreOpenError the folder is in use, cannot be used, or holds what Curt cannot read
 */
export async function openJsonFileStore(folder: string, options: StoreOptions): Promise<Store> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const unlock = lockFolder(folder);
    try {
      const low = new Low<Data>(new DurableJsonFile(join(folder, 'curt.json')), emptyData());
      await low.read();
      return new JsonFileStore(folder, low, unlock, options);
    } catch (error) {
      unlock();
      throw error;
    }
  } catch (error) {
    if (error instanceof StoreOpenError) throw error;
    throw new StoreOpenError(`${folder} cannot be used: ${(error as Error).message}.`);
  }
}

/**
 * All of it in memory, in lowdb's `Low`, with an index for each question; every change rewrites
 * the file. All that must be atomic happens between two awaits.
 */
class JsonFileStore implements Store {
  readonly #folder: string;
  readonly #low: Low<Data>;
  readonly #unlock: () => void;
  readonly #options: StoreOptions;
  readonly #commits: GroupCommit;

  readonly #accountsByToken = new Map<string, Account>();
  readonly #linksByAlias = new Map<string, Link>();
  readonly #linksById = new Map<string, Link>();
  readonly #rememberedByKey = new Map<string, Remembered>();
  /** Account id → month → links; the month `''` holds all of them. */
  readonly #counts = new Map<string, Map<string, number>>();

  #hitsTimer: NodeJS.Timeout | undefined;

  constructor(folder: string, low: Low<Data>, unlock: () => void, options: StoreOptions) {
    this.#folder = folder;
    this.#low = low;
    this.#unlock = unlock;
    this.#options = options;
    this.#commits = new GroupCommit(() => {
      this.#forgetOldKeys();
      return low.write();
    });
    for (const account of low.data.accounts) this.#accountsByToken.set(account.tokenHash, account);
    for (const link of low.data.links) this.#index(link);
    for (const entry of low.data.idempotency) this.#rememberedByKey.set(entry.keyHash, entry);
  }

  secret(): Promise<Buffer> {
    return readOrMakeSecret(this.#folder);
  }

  async findAccount(tokenHash: string): Promise<Account | undefined> {
    return this.#accountsByToken.get(tokenHash);
  }

  async findLink(alias: string): Promise<Link | undefined> {
    return this.#linksByAlias.get(alias.toLowerCase());
  }

  async countLinks(accountId: string, month: string): Promise<LinkCounts> {
    return { month: this.#count(accountId, month), total: this.#count(accountId, '') };
  }

  async findReplay(keyHash: string, now: number): Promise<Replay | undefined> {
    const replay = this.#replay(keyHash, now);
    // Its first call may still be waiting for the disk.
    if (replay) await this.#commits.settled();
    return replay;
  }

  async addLink(wish: LinkWish): Promise<AddLinkOutcome> {
    const { idempotency, newAccount } = wish;
    if (idempotency) {
      // No await before the link is kept: of two calls with one key, the second must see the first.
      const replay = this.#replay(idempotency.keyHash, wish.link.created);
      if (replay) {
        await this.#commits.settled();
        return replay.bodyHash === idempotency.bodyHash
          ? { kind: 'replayed', replay }
          : { kind: 'mismatch' };
      }
    }
    const month = monthOf(wish.link.created);
    if (this.#count(wish.link.accountId, month) >= wish.monthlyQuota) {
      return { kind: 'quota_exceeded' };
    }
    const alias = this.#firstFree(wish.aliases);
    if (alias === undefined) return { kind: 'alias_taken' };

    const link = { ...wish.link, alias };
    const undo = [this.#keepLink(link)];
    if (newAccount) undo.push(this.#keepAccount(newAccount));
    if (idempotency) undo.push(this.#remember(idempotency, link));
    await this.#commits.commit(() => {
      for (const step of undo.toReversed()) step();
    });
    return { kind: 'added', link };
  }

  countHit(linkId: string): void {
    const link = this.#linksById.get(linkId);
    if (!link) return;
    link.hits++;
    this.#hitsTimer ??= setTimeout(() => this.#writeHits(), HITS_WRITE_MS);
  }

  async close(): Promise<void> {
    try {
      if (this.#hitsTimer) {
        clearTimeout(this.#hitsTimer);
        await this.#commits.commit(() => undefined);
      }
      await this.#commits.settled();
    } finally {
      this.#unlock();
    }
  }

  #writeHits(): void {
    this.#hitsTimer = undefined;
    // Hits are not undone: they happened, and a later write has them.
    this.#commits
      .commit(() => undefined)
      .catch((error: unknown) => {
        this.#options.onError(error);
        this.#hitsTimer ??= setTimeout(() => this.#writeHits(), HITS_WRITE_MS);
      });
  }

  #replay(keyHash: string, now: number): Replay | undefined {
    const entry = this.#rememberedByKey.get(keyHash);
    const link = entry && this.#linksById.get(entry.linkId);
    if (!link || now >= entry.created + IDEMPOTENCY_WINDOW_MS) return undefined;
    return { keyHash, bodyHash: entry.bodyHash, tokenSalt: entry.tokenSalt, link };
  }

  #firstFree(aliases: Iterable<string>): string | undefined {
    for (const alias of aliases) {
      if (!this.#linksByAlias.has(alias.toLowerCase())) return alias;
    }
    return undefined;
  }

  #count(accountId: string, month: string): number {
    return this.#counts.get(accountId)?.get(month) ?? 0;
  }

  #addToCounts(link: Link, change: 1 | -1): void {
    const months = this.#counts.get(link.accountId) ?? new Map<string, number>();
    this.#counts.set(link.accountId, months);
    for (const month of [monthOf(link.created), '']) {
      months.set(month, (months.get(month) ?? 0) + change);
    }
  }

  #index(link: Link): void {
    this.#linksByAlias.set(link.alias.toLowerCase(), link);
    this.#linksById.set(link.id, link);
    this.#addToCounts(link, 1);
  }

  // Each of these keeps something in memory and returns how to undo it. Undoing goes newest first,
  // so what is to go is always the last of its list.

  #keepLink(link: Link): () => void {
    this.#low.data.links.push(link);
    this.#index(link);
    return () => {
      this.#low.data.links.pop();
      this.#linksByAlias.delete(link.alias.toLowerCase());
      this.#linksById.delete(link.id);
      this.#addToCounts(link, -1);
    };
  }

  #keepAccount(account: Account): () => void {
    this.#low.data.accounts.push(account);
    this.#accountsByToken.set(account.tokenHash, account);
    return () => {
      this.#low.data.accounts.pop();
      this.#accountsByToken.delete(account.tokenHash);
    };
  }

  #remember(idempotency: Idempotency, link: Link): () => void {
    const entry = { ...idempotency, linkId: link.id, created: link.created };
    this.#low.data.idempotency.push(entry);
    this.#rememberedByKey.set(entry.keyHash, entry);
    return () => {
      this.#low.data.idempotency.pop();
      this.#rememberedByKey.delete(entry.keyHash);
    };
  }

  /** Old entries stand first, since they were pushed in the order of time. */
  #forgetOldKeys(): void {
    const entries = this.#low.data.idempotency;
    const firstToKeep = entries.findIndex(
      (entry) => this.#options.clock() < entry.created + IDEMPOTENCY_WINDOW_MS,
    );
    const old = entries.splice(0, firstToKeep === -1 ? entries.length : firstToKeep);
    for (const entry of old) {
      if (this.#rememberedByKey.get(entry.keyHash) === entry) {
        this.#rememberedByKey.delete(entry.keyHash);
      }
    }
  }
}
