import { randomBytes, randomUUID } from 'node:crypto';
import type { Account, Authorization, NewAccount, Token } from '../../server/store/account.ts';
import type { Link } from '../../server/store/link.ts';
import type {
  Idempotency,
  LinkChanges,
  LinkEdit,
  LinkPurge,
  NewLink,
} from '../../server/store/link-calls.ts';
import type { Store } from '../../server/store/store.ts';
import { type Dimension, type Tally, tallyKey } from '../../server/store/visits.ts';
import type { ManualTime } from '../support/manual-time.ts';
import { START } from '../support/manual-time.ts';

export const NOW = START;

/** For changes that no test is about. */
export const ADMINISTRATOR: Authorization = { kind: 'administrator' };

/** A store that a test can close and reopen with the same data. */
export type Subject = {
  store: Store;
  /** It stands still at `NOW`. The store writes hits within a second. */
  time: ManualTime;
  reopen: () => Promise<Store>;
  /** Does what the driver does to its data at long intervals, for which it may reopen the store. */
  maintain: () => Promise<Store>;
};

/** Opens a new, empty store that is removed after the test. */
export type OpenSubject = () => Promise<Subject>;

/** Yields stores one after the other: one that is reopened closes the one before. */
export async function* inTurn(
  ...stores: (Store | (() => Promise<Store>))[]
): AsyncGenerator<Store> {
  for (const store of stores) yield typeof store === 'function' ? store() : store;
}

/** Numbers of people by value. */
export function tally(people: Record<string, number>): Tally {
  return new Map(Object.entries(people));
}

/** As the store takes them. */
export function talliesOf(dimensions: Partial<Record<Dimension, Tally>>): Tally {
  const entries = Object.entries(dimensions).flatMap(([name, tally]) =>
    [...tally].map(([value, people]) => [tallyKey(name as Dimension, value), people] as const),
  );
  return new Map(entries);
}

export function newLink(
  alias: string,
  { link, ...changes }: Omit<Partial<NewLink>, 'link'> & { link?: Partial<NewLink['link']> } = {},
): NewLink {
  return {
    by: ADMINISTRATOR,
    link: {
      id: randomBytes(12).toString('base64url'),
      accountId: 'account-1',
      aliasIsCustom: true,
      originalUrl: 'https://example.com/page',
      created: NOW,
      ...link,
    },
    aliases: [alias],
    newAccount: null,
    idempotency: null,
    quota: 1000,
    room: null,
    ...changes,
  };
}

/** An edit of a link of its own account. */
export function editOf(link: Pick<Link, 'id' | 'accountId'>, changes: LinkChanges): LinkEdit {
  return { ...ownLinkOf(link), changes, modified: NOW + 1, quota: 1000, room: null };
}

/** The link and its own account. */
export function ownLinkOf({ id, accountId }: Pick<Link, 'id' | 'accountId'>): LinkPurge {
  return { linkId: id, accountId, by: ADMINISTRATOR };
}

/** The changes that set another target. */
export function targetOf(originalUrl: string): Pick<Link, 'originalUrl' | 'targetUrl'> {
  return { originalUrl, targetUrl: new URL(originalUrl).href };
}

export async function addLink(store: Store, input: NewLink): Promise<Link> {
  const outcome = await store.addLink(input);
  if (outcome.kind !== 'added') throw new Error(`the link must be added: ${outcome.kind}`);
  return outcome.link;
}

/** The link that the store has in memory after a look-up. */
export async function knownLink(store: Store, alias: string): Promise<Link> {
  await store.findLink(alias);
  const known = store.knownLink(alias);
  if (!known) throw new Error(`the store does not know ${alias}`);
  return known;
}

export function newAccount(): NewAccount & { tokenHash: string } {
  return { id: randomUUID(), tokenHash: randomUUID(), name: '', created: NOW };
}

/** As the store has it, whose first token is one of its tokens. */
export function storedAccount({ tokenHash: _, ...account }: NewAccount): Account {
  return account;
}

export function newToken(accountId: string, changes: Partial<Token> = {}): Token {
  return {
    id: randomUUID(),
    accountId,
    tokenHash: randomUUID(),
    name: 'Phone "1"',
    scope: 'all',
    created: NOW + 1,
    lastUsedOn: null,
    ...changes,
  };
}

export function newKey(): Idempotency {
  return { keyHash: randomUUID(), bodyHash: 'body', tokenSalt: 'salt' };
}
