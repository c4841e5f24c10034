import type { Token } from '../../../server/store/account.ts';
import { changedLink, fromLinkJson, type Link } from '../../../server/store/link.ts';
import type { LinkEdit, NewLink, OwnLink } from '../../../server/store/link-calls.ts';
import { RESTORABLE_MS } from '../../../shared/bounds.ts';

/** The reference model of a store, made of maps. Methods return the expected outcome as text. */
export class StoreModel {
  links: Link[] = [];
  /** With their links as they were created; the link is gone once it is purged. */
  keys = new Map<string, { bodyHash: string; link: Link; isSpent: boolean }>();
  /** By account. The first token's id is the account's. */
  tokens = new Map<string, Token[]>();
  /** Aliases in lower case of no link and who may use them; null for nobody. */
  reserved = new Map<string, string | null>();
  /** What counts against the quota of an account besides its links: purged ones, and new aliases. */
  used = new Map<string, number>();
  deleted = new Set<string>();

  copy(): StoreModel {
    return copyModel(this, new StoreModel());
  }

  become(other: StoreModel): void {
    copyModel(other, this);
  }

  find(alias: string): Link | undefined {
    return this.links.find((link) => aliasesOf(link).includes(alias.toLowerCase()));
  }

  idsOf(accountId: string): string[] {
    return this.links.flatMap((link) => (link.accountId === accountId ? [link.id] : [])).sort();
  }

  total(accountId: string): number {
    return this.links.filter((link) => link.accountId === accountId).length;
  }

  month(accountId: string): number {
    return this.total(accountId) + (this.used.get(accountId) ?? 0);
  }

  add({ link, aliases, newAccount, idempotency, quota }: NewLink): string {
    const { accountId } = link;
    if (this.deleted.has(accountId)) return 'account_deleted';
    const known = idempotency && this.keys.get(idempotency.keyHash);
    if (known) {
      return known.bodyHash === idempotency.bodyHash && !known.isSpent
        ? `replayed ${known.link.alias}`
        : 'mismatch';
    }
    if (this.month(accountId) >= quota) return 'quota_exceeded';
    const alias = [...aliases].find((candidate) => this.#canUse(candidate, accountId));
    if (alias === undefined) return 'alias_taken';
    const stored = fromLinkJson(link.id, { ...link, alias });
    this.links.push(changedLink(stored, {}));
    this.reserved.delete(alias.toLowerCase());
    if (newAccount && !this.tokens.has(accountId)) {
      const { tokenHash = '', created } = newAccount;
      const rest = { name: '', scope: 'all', created, lastUsedOn: null } as const;
      this.tokens.set(accountId, [{ id: accountId, accountId, tokenHash, ...rest }]);
    }
    if (idempotency) {
      const { keyHash, bodyHash } = idempotency;
      this.keys.set(keyHash, { bodyHash, link: stored, isSpent: false });
    }
    return `added ${alias}`;
  }

  /** The expected outcome with the whole link, except for its hits. */
  edit({ linkId, accountId, changes, modified, version, quota }: LinkEdit): string {
    const at = this.links.findIndex(({ id }) => id === linkId);
    const link = this.links[at];
    if (link?.accountId !== accountId) return 'not_found';
    if (link.deletedAt !== null && link.deletedAt + RESTORABLE_MS <= modified) return 'not_found';
    if (version !== undefined && version !== link.version) {
      return `version_mismatch ${linkText(link)}`;
    }
    const alias = changes.alias ?? link.alias;
    const isRenamed = alias.toLowerCase() !== link.alias.toLowerCase();
    const isOwn = aliasesOf(link).includes(alias.toLowerCase());
    if (!isOwn && !this.#canUse(alias, accountId)) return 'alias_taken';
    const isUnused = !isOwn && quota !== null && !this.reserved.has(alias.toLowerCase());
    if (isUnused && this.month(accountId) >= quota) return 'quota_exceeded';
    if (isUnused) this.#use(accountId);
    const keeps = changes.previousAliases?.map((each) => each.toLowerCase());
    const previousAliases = link.previousAliases.filter(
      (each) =>
        (keeps?.includes(each.toLowerCase()) ?? true) && each.toLowerCase() !== alias.toLowerCase(),
    );
    if (isRenamed) previousAliases.push(link.alias);
    const aliasIsCustom = link.aliasIsCustom || alias !== link.alias;
    const later = { aliasIsCustom, previousAliases, editedAt: modified, version: link.version + 1 };
    const edited = changedLink(link, { ...changes, ...later });
    this.links[at] = edited;
    for (const each of aliasesOf(link)) this.reserved.set(each, accountId);
    for (const each of aliasesOf(edited)) this.reserved.delete(each);
    return `edited ${linkText(edited)}`;
  }

  purge({ linkId, accountId }: OwnLink): string {
    const link = this.links.find(({ id }) => id === linkId);
    if (link?.accountId !== accountId) return 'not_found';
    this.#erase(link, accountId);
    this.#use(accountId);
    return 'purged';
  }

  move({ linkId, accountId }: OwnLink, to: string): string {
    if (!this.tokens.has(to)) return 'no_account';
    const at = this.links.findIndex(({ id }) => id === linkId);
    const link = this.links[at];
    if (link?.accountId !== accountId) return 'not_found';
    this.links[at] = changedLink(link, { accountId: to });
    return 'moved';
  }

  takeVisit(linkId: string): string {
    const at = this.links.findIndex(({ id }) => id === linkId);
    const link = this.links[at];
    if (!link || link.deletedAt !== null) return 'false';
    if (link.maxVisits !== null && link.hits >= link.maxVisits) return 'false';
    this.links[at] = changedLink(link, { hits: link.hits + 1 });
    return 'true';
  }

  addToken(token: Token): string {
    const tokens = this.tokens.get(token.accountId);
    if (!tokens) return 'not_found';
    this.tokens.set(token.accountId, [...tokens, token]);
    return 'added';
  }

  revokeToken(accountId: string, id: string): string {
    const tokens = this.tokens.get(accountId) ?? [];
    const others = tokens.filter((token) => token.id !== id);
    const token = tokens.find((each) => each.id === id);
    if (!token) return 'not_found';
    if (token.scope === 'all' && !others.some(({ scope }) => scope === 'all')) return 'last_token';
    this.tokens.set(accountId, others);
    return 'revoked';
  }

  deleteAccount(accountId: string): string {
    if (!this.tokens.has(accountId) && this.month(accountId) === 0) return 'deleted';
    this.deleted.add(accountId);
    this.tokens.delete(accountId);
    this.used.delete(accountId);
    for (const link of this.links.filter((each) => each.accountId === accountId)) {
      this.#erase(link, null);
    }
    for (const [alias, owner] of this.reserved) {
      if (owner === accountId) this.reserved.set(alias, null);
    }
    return 'deleted';
  }

  isAliasFree(alias: string): boolean {
    return !this.find(alias) && !this.reserved.has(alias.toLowerCase());
  }

  #use(accountId: string): void {
    this.used.set(accountId, (this.used.get(accountId) ?? 0) + 1);
  }

  #erase(link: Link, owner: string | null): void {
    this.links = this.links.filter((each) => each !== link);
    for (const alias of aliasesOf(link)) this.reserved.set(alias, owner);
    for (const [keyHash, key] of this.keys) {
      if (key.link.id === link.id) this.keys.set(keyHash, { ...key, isSpent: true });
    }
  }

  #canUse(alias: string, accountId: string): boolean {
    const owner = this.reserved.get(alias.toLowerCase());
    return !this.find(alias) && (owner === undefined || owner === accountId);
  }
}

/** Equal for equal links, regardless of the order of fields and of hits during the call. */
export function linkText({ hits: _, ...link }: Link): string {
  return JSON.stringify(Object.entries(link).sort());
}

function aliasesOf({ alias, previousAliases }: Link): string[] {
  return [alias, ...previousAliases].map((each) => each.toLowerCase());
}

/** Entries are replaced, never changed, so that copying the collections is enough. */
function copyModel(from: StoreModel, to: StoreModel): StoreModel {
  to.links = [...from.links];
  to.keys = new Map(from.keys);
  to.tokens = new Map(from.tokens);
  to.reserved = new Map(from.reserved);
  to.used = new Map(from.used);
  to.deleted = new Set(from.deleted);
  return to;
}
