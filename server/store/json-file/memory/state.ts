import type { Account, Token, TokenOwner } from '../../account.ts';
import type { Block } from '../../blocks.ts';
import type { AliasState } from '../../decide/alias-state.ts';
import type { Idempotency, Link, Replay } from '../../link.ts';
import { toAccountJson } from '../../records/account-json.ts';
import { BlockTable } from '../../records/block-table.ts';
import type { IndexedLink, LinkJson } from '../../records/link-json.ts';
import type { VisitsOfHour } from '../../visits.ts';
import { hasExpired, type LoadedRecord } from '../files/line-record.ts';
import { Listing } from '../listing/listing.ts';
import { TimeSlices } from '../listing/time-slices.ts';
import { StoredStatistics, type VisitsLine } from '../statistics/stored-statistics.ts';
import { AccountTable } from './account-table.ts';
import { IdempotencyKeys } from './idempotency-keys.ts';
import { LinkTable } from './link-table.ts';
import { ReservedAliases } from './reserved-aliases.ts';
import { TokenTable } from './token-table.ts';

/** A retry may start before its key expires and read the link a little later. */
const GRACE_MS = 60_000;

/** What lowdb's `Low` holds: everything that is on disk. */
export class State {
  readonly links = new LinkTable();
  readonly accounts = new AccountTable();
  readonly tokens = new TokenTable();
  readonly reserved = new ReservedAliases();
  readonly blocks = new BlockTable();
  /** Of all lists together. */
  readonly slices = new TimeSlices();
  readonly listing = new Listing(this.links, this.accounts, this.slices);
  readonly statistics = new StoredStatistics(this.links);
  /**
   * Deleted accounts whose links are not all erased yet, and the number of the next one to erase. Nobody
   * can see these links any more.
   */
  readonly accountsToErase = new Map<string, number | undefined>();
  readonly #keys = new IdempotencyKeys();
  readonly #openedAt: number;

  /** @param now idempotency keys that have expired by then are not loaded */
  constructor(now: number) {
    this.#openedAt = now;
  }

  findLink(alias: string): Link | undefined {
    const link = this.links.find(alias)?.link;
    return link && this.accountsToErase.has(link.accountId) ? undefined : link;
  }

  /** The number and content of a link; undefined if it was erased or its account was deleted. */
  readLink(id: string): { number: number; link: Link } | undefined {
    const number = this.links.numberOf(id);
    if (number === undefined) return undefined;
    const link = this.links.read(number);
    return this.accountsToErase.has(link.accountId) ? undefined : { number, link };
  }

  /** @param accountId undefined for a new account */
  aliasState(alias: string, accountId: string | undefined): AliasState {
    if (this.links.has(alias)) return 'taken';
    const owner = this.reserved.ownerOf(alias);
    if (owner === undefined) return 'unused';
    return owner === accountId ? 'own' : 'taken';
  }

  findToken(tokenHash: string): TokenOwner | undefined {
    const owner = this.accounts.find(tokenHash);
    const first = owner && this.accounts.firstToken(owner);
    if (first) return { account: owner, token: first };
    const token = this.tokens.find(tokenHash);
    const account = token && this.accounts.get(token.accountId);
    return account && { account, token };
  }

  /** Oldest first. */
  listTokens(accountId: string): Token[] {
    const account = this.accounts.get(accountId);
    if (!account) return [];
    const first = this.accounts.firstToken(account);
    return [...(first ? [first] : []), ...this.tokens.list(accountId)];
  }

  revokeToken(accountId: string, id: string): void {
    if (id === accountId) this.accounts.revokeFirstToken(accountId);
    else this.tokens.revoke(accountId, id);
  }

  /** @returns whether that is later than before; false for an unknown token */
  useToken(accountId: string, id: string, day: number): boolean {
    return id === accountId
      ? this.accounts.useFirstToken(accountId, day)
      : this.tokens.use(accountId, id, day);
  }

  /**
   * Adds the result of one call. `json` is the text of `link`.
   *
   * @returns how many links the account has created in that month, including this one
   */
  add(
    link: LinkJson,
    json: string,
    account: Account | null,
    idempotency: Idempotency | null,
  ): number {
    if (account) this.accounts.add(toAccountJson(account));
    return this.#index(this.links.add(link, json), link, idempotency);
  }

  /** Applies an edit. `json` is the text of `link`. */
  edit(number: number, link: LinkJson, json: string, now: number): void {
    const accountId = this.links.accountIdOf(number);
    if (accountId !== link.accountId) {
      this.accounts.moveLink({ ...link, accountId }, link.accountId);
      this.listing.linkMoved(number, link, accountId);
    }
    this.links.edit(number, link, json, !hasExpired(link.created, now - GRACE_MS));
    this.listing.linkEdited(number, link);
  }

  /** Erases a link. Its aliases stay reserved. */
  purge(number: number): void {
    const link = this.links.read(number);
    this.accounts.uncountLink(link);
    this.listing.linkPurged(number, link);
    this.#erase(number, link, link.accountId);
  }

  /** Its links, which are invisible from now on, are erased later by `eraseNextLink`. */
  deleteAccount(id: string): void {
    this.accountsToErase.set(id, this.accounts.newestLink(id));
    this.listing.accountDeleted(id);
    this.blocks.delete('account', id);
    for (const linkId of this.blocks.link.keys()) {
      const number = this.links.numberOf(linkId);
      const isOfAccount = number !== undefined && this.links.accountIdOf(number) === id;
      if (isOfAccount) this.blocks.delete('link', linkId);
    }
    this.accounts.delete(id);
    this.tokens.revokeAll(id);
    this.statistics.eraseAccount(id);
  }

  /** Erases one of the links of deleted accounts. */
  eraseNextLink(): void {
    for (const [accountId, number] of this.accountsToErase) {
      if (number !== undefined) {
        this.accountsToErase.set(accountId, this.listing.previousLink(number));
        this.#eraseLinkOf(accountId, number);
        return;
      }
      const moved = this.listing.takeMovedLink(accountId);
      if (moved !== undefined) {
        this.#eraseLinkOf(accountId, moved);
        return;
      }
      // Visits that were written at the time of the deletion may have been added.
      this.statistics.eraseAccount(accountId);
      this.accountsToErase.delete(accountId);
      return;
    }
  }

  /** Visits as members of journal lines. Links that do not exist any more are left out. */
  toVisitLines(visits: VisitsOfHour[]): VisitsLine[] {
    const hasLink = ({ linkId }: VisitsOfHour) => this.readLink(linkId) !== undefined;
    return this.statistics.toLines(this.accountsToErase.size > 0 ? visits.filter(hasLink) : visits);
  }

  /** Loads a line. Its link's JSON is in `bytes` from `start` to `end`. */
  load(record: LoadedRecord, bytes: Buffer, start: number, end: number): void {
    const { link, edit } = record;
    if (record.account) this.accounts.add(record.account);
    if (record.accountEdit) this.accounts.edit(record.accountEdit);
    if (record.block) this.#loadBlock(record.block);
    if (record.unblocked) this.blocks.delete(record.unblocked.kind, record.unblocked.value);
    for (const alias of record.taken ?? []) this.reserved.delete(alias);
    if (record.quotaUse) this.accounts.countUse(record.quotaUse);
    if (link) {
      const hasExpiredKey = hasExpired(link.created, this.#openedAt);
      const idempotency = hasExpiredKey ? null : (record.idempotency ?? null);
      const number = this.links.addBytes(link, bytes, start, end);
      if (record.first && !hasExpiredKey) this.links.addOriginal(number, record.first);
      this.#index(number, link, idempotency);
    } else if (edit) {
      const number = this.links.numberOf(edit.id);
      if (number === undefined)
        throw new Error(`a line edits the link ${edit.id}, which does not exist`);
      this.edit(number, edit, bytes.toString('utf8', start, end), this.#openedAt);
    } else {
      this.#loadOther(record);
    }
    if (record.reserved) {
      const { aliases, accountId = '' } = record.reserved;
      for (const alias of aliases) this.reserved.add(alias, accountId);
    }
  }

  /** Size of the line that contains the link's current state. */
  lineBytes(id: string): number {
    const number = this.links.numberOf(id);
    return number === undefined ? 0 : this.links.lineBytes(number);
  }

  replay(keyHash: string, now: number): Replay | undefined {
    const key = this.#keys.find(keyHash, now);
    if (!key || this.#isGone(key.link)) return undefined;
    const { bodyHash, tokenSalt, link } = key;
    return { keyHash, bodyHash, tokenSalt, link: this.links.readOriginal(link) };
  }

  /** Whether the key was used for a link that was erased since. */
  isSpent(keyHash: string, now: number): boolean {
    const key = this.#keys.find(keyHash, now);
    return key !== undefined && this.#isGone(key.link);
  }

  /** @param max maximum number at once, so that the event loop is not blocked */
  deleteExpiredKeys(now: number, max: number): void {
    this.links.deleteOriginals((created) => hasExpired(created, now - GRACE_MS), max);
    this.#keys.deleteExpired(now, max);
  }

  #loadOther({ token, hits, purged, revoked, used, ...record }: LoadedRecord): void {
    if (token) this.tokens.add(token);
    if (record.visits) this.statistics.add(record.visits);
    if (record.statistics) this.statistics.load(record.statistics);
    for (const [id, more] of hits ?? []) {
      const number = this.links.numberOf(id);
      if (number !== undefined) this.links.addHits(number, more);
    }
    const number = purged && this.links.numberOf(purged.id);
    if (number !== undefined) this.purge(number);
    if (revoked) this.revokeToken(revoked.accountId, revoked.id);
    for (const [accountId, id, day] of used ?? []) this.useToken(accountId, id, day);
    if (record.deletedAccount) this.deleteAccount(record.deletedAccount.id);
    if (record.spentKey) this.#keys.addSpent(record.spentKey.keyHash, record.spentKey.created);
  }

  #index(number: number, link: IndexedLink, idempotency: Idempotency | null): number {
    const usedInMonth = this.accounts.countLink(link);
    this.listing.linkAdded(number, link);
    if (idempotency) this.#keys.add(idempotency, number, link.created);
    return usedInMonth;
  }

  /** A snapshot may have blocks of what a later line of it does not have any more. */
  #loadBlock(block: Block): void {
    const { kind, value } = block;
    const isGone =
      (kind === 'link' && this.links.numberOf(value) === undefined) ||
      (kind === 'account' && !this.accounts.has(value));
    if (!isGone) this.blocks.add(block);
  }

  /** Unless it was erased before, or moved to another account. */
  #eraseLinkOf(accountId: string, number: number): void {
    if (this.links.isErased(number)) return;
    const link = this.links.read(number);
    if (link.accountId === accountId) this.#erase(number, link, '');
  }

  #erase(number: number, { id, alias, furtherAliases }: Link, owner: string): void {
    this.blocks.delete('link', id);
    this.statistics.erase(id);
    this.links.erase(number);
    for (const each of [alias, ...furtherAliases]) this.reserved.add(each, owner);
  }

  #isGone(link: number | undefined): link is undefined {
    if (link === undefined || this.links.isErased(link)) return true;
    if (this.accountsToErase.size === 0) return false;
    return this.accountsToErase.has(this.links.read(link).accountId);
  }
}
