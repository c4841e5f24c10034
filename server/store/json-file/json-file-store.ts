import { accessSync, constants } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import { Low } from 'lowdb';
import type { TagCount } from '../../../shared/links/tags.ts';
import { dayNumber, HOUR_MS } from '../../lib/durations.ts';
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
import { addAccount, deleteAccount } from '../decide/accounts.ts';
import { addLink } from '../decide/add-link.ts';
import { type AliasState, aliasState } from '../decide/aliases.ts';
import { editLink } from '../decide/edit-link.ts';
import { purgeLink } from '../decide/purge-link.ts';
import { countLinks } from '../decide/quota.ts';
import { takeVisit } from '../decide/take-visit.ts';
import { addToken, revokeToken } from '../decide/tokens.ts';
import { findReplay } from '../decide/used-keys.ts';
import type { View } from '../decide/view.ts';
import type { StoredDomains } from '../domains.ts';
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
import { changedLink } from '../records/link-json.ts';
import { toLinkVisits } from '../statistics/link-visits.ts';
import type { Store, StoreMetrics, StoreOptions } from '../store.ts';
import type { Statistics, VisitsOf, VisitsOfHour, VisitsPerDay } from '../visits.ts';
import { Changes } from './changes.ts';
import { Data } from './data/data.ts';
import { toVisitsJson } from './data/visits-json.ts';
import { Erasure } from './erasure.ts';
import { AuditFile } from './files/audit-file.ts';
import { toOpenError } from './files/folder-access.ts';
import { lockFolder } from './files/folder-lock.ts';
import { readOrCreateSecret } from './files/secret-file.ts';
import { JournalAdapter, type JournalAdapterOptions } from './journal/journal-adapter.ts';
import { JsonAdministration } from './json-administration.ts';
import { Lists } from './lists.ts';
import { UnsavedHits } from './unsaved-hits.ts';

/** More would make a line that takes too long to write and to apply. */
const VISITED_LINKS_A_LINE = 1000;

const DEFAULTS = {
  onWarning: process.emitWarning,
  compactAtBytes: 16 * 1024 * 1024,
  openFile: open,
  maintainEveryMs: HOUR_MS,
  backupGraceMs: HOUR_MS,
};

type Settings = JournalAdapterOptions & {
  /** How often to purge what was deleted long ago, and to erase what was purged from the disk. */
  maintainEveryMs: number;
};

export type JsonFileOptions = StoreOptions & Partial<Omit<Settings, 'folder'>>;

/**
 * Opens the JSON-file store in a folder, which is created if it does not exist.
 *
 * @throws StoreOpenError if the folder is in use, inaccessible, or contains unreadable data
 */
export async function openJsonFileStore(folder: string, options: JsonFileOptions): Promise<Store> {
  const settings: Settings = { ...DEFAULTS, ...options, folder };
  try {
    await createFolder(folder);
    const unlock = lockFolder(folder);
    try {
      const adapter = new JournalAdapter(settings);
      const low = new Low<Data>(adapter, new Data(settings.clock));
      await low.read();
      return new JsonFileStore(low, adapter, unlock, settings);
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
  readonly #erasure: Erasure;

  constructor(
    low: Low<Data>,
    adapter: JournalAdapter,
    unlock: () => void,
    { folder, clock, onError, openFile, maintainEveryMs }: Settings,
  ) {
    const { data } = low;
    const changes = new Changes(low, clock);
    const lists = new Lists(data);
    this.#folder = folder;
    this.#data = data;
    this.#adapter = adapter;
    this.#unlock = unlock;
    this.#clock = clock;
    this.#changes = changes;
    this.#lists = lists;
    this.#unsavedHits = new UnsavedHits(data, changes, onError);
    this.#audit = new AuditFile(folder, openFile);
    this.administration = new JsonAdministration(data, changes, lists, this.#audit, folder);
    this.#erasure = new Erasure({ data, changes, lists, adapter, clock }, maintainEveryMs, onError);
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
    return this.#changes.make(addAccount(account));
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
    return findReplay(this.#data, keyHash, now);
  }

  addLink(newLink: NewLink): Promise<AddLinkOutcome> {
    return this.#changes.make(addLink(newLink));
  }

  editLink(edit: LinkEdit): Promise<EditLinkOutcome> {
    return this.#changes.make(editLink(edit));
  }

  purgeLink(purge: LinkPurge): Promise<PurgeLinkOutcome> {
    return this.#changes.make(purgeLink(purge));
  }

  listLinks(query: LinkQuery): Promise<LinkPage> {
    return this.#lists.links(query);
  }

  countTags(accountId: string, limit: number): Promise<TagCount[]> {
    return this.#lists.tags(accountId, limit);
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
      const decide = (view: View) => {
        const link = this.#data.link(linkId);
        const pending = view.get('link', linkId);
        const decision = takeVisit(link && pending && changedLink(pending, { hits: link.hits }));
        isCounted = decision.outcome;
        if (link && isCounted) link.hits++;
        return decision;
      };
      return await this.#changes.make({ decide });
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
      const ofLinks = toLinkVisits(part, accountOf);
      if (ofLinks.length === 0) continue;
      const members = `"visits":${JSON.stringify(toVisitsJson(ofLinks))}`;
      lines.push(this.#changes.append(members, () => this.#data.addVisits(ofLinks)));
    }
    await Promise.all(lines);
  }

  async readStatistics(of: VisitsOf): Promise<Statistics> {
    return this.#data.statistics.read(of, this.#clock());
  }

  readVisitsPerDay(linkIds: readonly string[], from: number): VisitsPerDay {
    return this.#data.statistics.readPerDay(linkIds, from);
  }

  async listTokens(accountId: string): Promise<Token[]> {
    return this.#data.listTokens(accountId);
  }

  addToken(newToken: NewToken): Promise<AddTokenOutcome> {
    return this.#changes.make(addToken(newToken));
  }

  revokeToken(revocation: TokenRevocation): Promise<RevokeTokenOutcome> {
    return this.#changes.make(revokeToken(revocation));
  }

  markTokenUsed({ id, accountId }: Pick<Token, 'id' | 'accountId'>, time: number): void {
    const token = this.#data.tokens(accountId).find((each) => each.id === id);
    if (token) this.#unsavedHits.addUse(token.tokenHash, dayNumber(time));
  }

  async deleteAccount(deletion: AccountDeletion): Promise<void> {
    await this.#changes.make(deleteAccount(deletion));
    this.#erasure.eraseLinks();
  }

  get blocks(): Blocks {
    return this.#data.blocks;
  }

  get domains(): StoredDomains {
    return this.#data.domains;
  }

  checkWritable(): Promise<void> {
    return this.#changes.checkWritable();
  }

  metrics(): StoreMetrics {
    const { pendingCount: pendingChanges, failedWrites } = this.#changes;
    return { ...this.#adapter.metrics(), pendingChanges, failedWrites };
  }

  async close(): Promise<void> {
    try {
      await this.#erasure.close();
      await Promise.all([this.#unsavedHits.close(), this.#audit.close()]);
      await this.#changes.settled();
    } finally {
      await this.#adapter.close().finally(this.#unlock);
    }
  }
}
