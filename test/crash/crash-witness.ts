import { randomUUID } from 'node:crypto';
import type { Token } from '../../server/store/account.ts';
import type { Link } from '../../server/store/link.ts';
import type { LinkChanges } from '../../server/store/link-calls.ts';
import type { CreatedLinkRecord } from '../../shared/links/link-record.ts';

export type Call = { body: Record<string, unknown>; key: string; token: string | undefined };

/** A link without the fields that have rules of their own. */
export type LinkState = Omit<Link, 'hits' | 'accountId'>;

export type Edit = { changes: LinkChanges; modified: number };

/** One in three aliases is changed; the clients meet at a few links. */
const ALIAS_CHANGES = 3;
const HOT_LINKS = 3;
const DAY_MS = 86_400_000;
/** Of every edited link that does not redirect. */
const MAX_VISITS = 10;

/** What the clients know of a link. */
export type KnownLink = {
  call: Call;
  /** The first response. */
  record: CreatedLinkRecord;
  /** After the newest acknowledged edit. */
  state: LinkState;
  /** Sent but not acknowledged. */
  pending: Edit[];
  /** Number of edits that were sent. */
  edits: number;
  /** Whether a visit redirects immediately. Edits never change that. */
  redirects: boolean;
  visits: {
    sent: number;
    /** Answered early enough that their hits must be on disk. */
    durable: number;
  };
};

export type ErasedLink = { alias: string; token: string; withAccount: boolean; isSure: boolean };

/** What the clients know of the server. */
export class Witness {
  /** By id. */
  readonly links = new Map<string, KnownLink>();
  /** Every alias that a link has or had, or may have after an unacknowledged edit. */
  readonly aliases = new Set<string>();
  /** The number of acknowledged links for each token. */
  readonly tokens = new Map<string, number>();
  /** By token: aliases that may count against the quota. */
  readonly unknownAliases = new Map<string, number>();
  /** Hashes of further tokens. After a call without a response, a token may be valid or not. */
  readonly furtherTokens = new Map<string, 'valid' | 'revoked' | 'unknown'>();
  /** Links that were erased with or without their account; the last call may be without a response. */
  readonly erased: ErasedLink[] = [];
  /** Calls without a response, which may or may not have had an effect. */
  unanswered: Call[] = [];
  /** Acknowledged edits, interrupted edits, and links where interrupted edits were applied. */
  edited = 0;
  cutOff = 0;
  appliedAnyway = 0;
  /** Replays of edited links that returned them as created. */
  replayedAfterEdit = 0;
  /** Visitors of links with `maxVisits` that passed. */
  passed = 0;
  readonly #list: KnownLink[] = [];
  readonly #redirects: KnownLink[] = [];
  /** Tokens for later calls. */
  readonly #knownTokens: string[] = [];
  readonly #limited = new Set<KnownLink>();
  #calls = 0;
  #edits = 0;

  nextCall(): Call {
    const again = this.unanswered.pop();
    if (again) return again;
    const number = this.#calls++;
    return {
      key: randomUUID(),
      token: number % 3 === 0 ? undefined : this.#knownTokens[number % this.#knownTokens.length],
      body: {
        originalUrl: `http://a.example/${number}`,
        ...(number % 2 === 0 && { customAlias: `Alias-${number}` }),
        ...(number % 5 === 0 && {
          title: `Títle "${number}"`,
          description: 'one\ntwo',
          expiresInDays: 2.5,
          waitTimer: 7,
          customGtmId: 'GTM-ABCD',
        }),
      },
    };
  }

  acknowledge(call: Call, record: CreatedLinkRecord): void {
    if (this.links.has(record.id)) throw new RangeError(`the id ${record.id} was given twice`);
    const redirects = record.waitTimer === 0;
    const link: KnownLink = {
      call,
      record,
      state: stateOf(record, redirects ? null : 'GTM-ABCD'),
      pending: [],
      edits: 0,
      redirects,
      visits: { sent: 0, durable: 0 },
    };
    this.links.set(record.id, link);
    this.#list.push(link);
    if (redirects) this.#redirects.push(link);
    this.aliases.add(record.alias);
    if (!this.tokens.has(record.authToken)) this.#knownTokens.push(record.authToken);
    increase(this.tokens, record.authToken);
  }

  randomRedirect(): KnownLink | undefined {
    return pick(this.#redirects);
  }

  /** Often one of the last few, so that edits of the same link overlap. */
  randomLink(): KnownLink | undefined {
    return pick(Math.random() < 0.5 ? this.#list.slice(-HOT_LINKS) : this.#list);
  }

  /** A link with `maxVisits`, mostly one of the last few. */
  randomLimited(): KnownLink | undefined {
    const list = [...this.#limited];
    return pick(Math.random() < 0.8 ? list.slice(-HOT_LINKS) : list);
  }

  /** Records that a visitor passed, which the disk must know. */
  pass(link: KnownLink): void {
    link.visits.durable++;
    if (link.visits.durable > MAX_VISITS) throw new RangeError('a visitor too many passed');
    this.passed++;
  }

  sendToken(): Omit<Token, 'accountId'> {
    const token = {
      id: randomUUID(),
      tokenHash: randomUUID(),
      name: 'further',
      created: Date.now(),
    };
    this.furtherTokens.set(token.tokenHash, 'unknown');
    return { ...token, scope: 'read', lastUsedOn: null };
  }

  /** Creates an edit whose values are unique. */
  sendEdit(link: KnownLink): Edit {
    const number = ++this.#edits;
    const originalUrl = `${link.record.originalUrl}/edit-${number} ü`;
    const changes: LinkChanges = {
      originalUrl,
      targetUrl: new URL(originalUrl).href,
      ...(number % 2 && { title: `edit ${number}` }),
      ...(number % 4 && { description: `${number} ü`.repeat(number % 60) }),
    };
    // Visited links keep their alias, so that a visit always reaches the intended link.
    if (number % ALIAS_CHANGES === 0 && !link.redirects) {
      changes.alias = `Edit-${number}`;
      if (number % (4 * ALIAS_CHANGES) === 0) changes.previousAliases = [];
      this.aliases.add(changes.alias);
    }
    if (!link.redirects) {
      changes.passwordHash = number % 2 ? `hash ${number}` : null;
      changes.expiresAt = number % 3 ? Date.now() + DAY_MS + number : null;
      changes.waitTimer = number % 300;
      changes.customGtmId = `GTM-${1000 + number}`;
      changes.isActive = number % 3 > 0;
      changes.maxVisits = MAX_VISITS;
      changes.deletedAt = number % 5 ? null : Date.now();
    }
    const edit = { changes, modified: Date.now() + number };
    link.pending.push(edit);
    link.edits++;
    return edit;
  }

  acknowledgeEdit(link: KnownLink, edit: Edit, returned: LinkState): void {
    link.pending.splice(link.pending.indexOf(edit), 1);
    const expected = editedState(link.state, edit);
    const wrong = differences(returned, expected);
    if (wrong.length > 0) throw new RangeError(`an edit was answered with ${wrong.join(', ')}`);
    this.edited++;
    if (edit.changes.alias !== undefined) increase(this.tokens, link.record.authToken);
    this.become(link, expected);
  }

  /** Edits without a response: a new alias counts if the edit was applied. */
  cutOffEdits({ record, pending }: KnownLink): void {
    this.cutOff += pending.length;
    for (const { changes } of pending) {
      if (changes.alias !== undefined) increase(this.unknownAliases, record.authToken);
    }
  }

  /** What must be on disk. */
  become(link: KnownLink, state: LinkState): void {
    link.state = state;
    if (state.maxVisits !== null) this.#limited.add(link);
  }
}

function increase(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function stateOf(record: CreatedLinkRecord, customGtmId: string | null): LinkState {
  return {
    id: record.id,
    alias: record.alias,
    aliasIsCustom: record.customAlias !== '',
    originalUrl: record.originalUrl,
    targetUrl: new URL(record.originalUrl).href,
    title: record.title,
    label: record.label,
    description: record.description,
    passwordHash: null,
    expiresAt: record.expiresAt === null ? null : Date.parse(record.expiresAt),
    waitTimer: record.waitTimer,
    customGtmId,
    isActive: record.isActive,
    created: Date.parse(record.created),
    editedAt: null,
    previousAliases: [],
    tags: [],
    maxVisits: null,
    forwardQuery: false,
    deletedAt: null,
    version: 1,
    importKey: null,
    importId: null,
    rules: [],
    startsAt: null,
    hideUntilStart: false,
    publicStats: false,
    goneUrl: null,
    card: null,
    newerFields: null,
  };
}

function editedState(state: LinkState, { changes, modified }: Edit): LinkState {
  const { alias = state.alias, previousAliases: kept = state.previousAliases } = changes;
  const previousAliases = alias === state.alias ? kept : [...kept, state.alias];
  const aliasIsCustom = state.aliasIsCustom || changes.alias !== undefined;
  const version = state.version + 1;
  return { ...state, ...changes, aliasIsCustom, previousAliases, editedAt: modified, version };
}

/** The states a link may have after unacknowledged edits: each applied completely or not, in any order. */
export function* possibleStates(state: LinkState, pending: Edit[]): Generator<LinkState> {
  yield state;
  for (const [index, edit] of pending.entries()) {
    yield* possibleStates(editedState(state, edit), pending.toSpliced(index, 1));
  }
}

/** Describes the fields in which a link differs from the expected one. */
export function differences(link: LinkState, expected: LinkState): string[] {
  return Object.entries(expected).flatMap(([field, value]) => {
    const found = link[field as keyof LinkState];
    const isSame = JSON.stringify(found) === JSON.stringify(value);
    return isSame ? [] : [`${field} ${found}, not ${value}`];
  });
}

function pick<T>(list: T[]): T | undefined {
  return list[Math.floor(Math.random() * list.length)];
}
