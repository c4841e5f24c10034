import { randomUUID } from 'node:crypto';
import type { Link, LinkChanges } from '../../../server/store/store.ts';
import type { LinkRecord } from '../../../shared/link-record.ts';

export type Call = { body: Record<string, unknown>; key: string; token: string | undefined };

/** What the store says of a link, but for what has rules of its own. */
export type LinkState = Omit<Link, 'hits' | 'accountId'>;

export type Edit = { changes: LinkChanges; modified: number };

/** One in three aliases is changed; the clients meet at a few links. */
const ALIAS_CHANGES = 3;
const HOT_LINKS = 3;
const DAY_MS = 86_400_000;

/** What the clients know of a link. */
export type KnownLink = {
  call: Call;
  /** The first answer. */
  record: LinkRecord;
  /** As the newest acknowledged edit left it. */
  state: LinkState;
  /** Sent, and not answered yet, or never. */
  underWay: Edit[];
  /** Edits that were sent, ever. */
  edits: number;
  /** Whether a visit leads to the target at once; no edit changes that. */
  redirects: boolean;
  visits: {
    sent: number;
    /** Those answered so early that their hits must be on disk. */
    kept: number;
  };
};

/** What the clients know of the server. */
export class Witness {
  /** By id. */
  readonly links = new Map<string, KnownLink>();
  /** Every alias that a link was acknowledged or may have been edited to have. */
  readonly aliases = new Set<string>();
  /** Tokens, and how many links were acknowledged with each. */
  readonly tokens = new Map<string, number>();
  /** Calls that had no answer: nobody knows whether they did anything. */
  unanswered: Call[] = [];
  /** Edits that were acknowledged, those that a kill cut off, and links where some of these were made. */
  edited = 0;
  cutOff = 0;
  madeThough = 0;
  /** Replays of edited links, which told them as they were made. */
  replayedAfterEdit = 0;
  readonly #list: KnownLink[] = [];
  readonly #redirects: KnownLink[] = [];
  /** Those that later calls send. */
  readonly #knownTokens: string[] = [];
  /** Aliases that a link has given up and the next may take. */
  readonly #free: string[] = [];
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

  acknowledge(call: Call, record: LinkRecord): void {
    if (this.links.has(record.id)) throw new RangeError(`the id ${record.id} was given twice`);
    const redirects = record.waitTimer === 0;
    const link: KnownLink = {
      call,
      record,
      state: stateOf(record, redirects ? null : 'GTM-ABCD'),
      underWay: [],
      edits: 0,
      redirects,
      visits: { sent: 0, kept: 0 },
    };
    this.links.set(record.id, link);
    this.#list.push(link);
    if (redirects) this.#redirects.push(link);
    this.aliases.add(record.alias);
    const links = this.tokens.get(record.authToken) ?? 0;
    if (links === 0) this.#knownTokens.push(record.authToken);
    this.tokens.set(record.authToken, links + 1);
  }

  randomRedirect(): KnownLink | undefined {
    return pick(this.#redirects);
  }

  /** Often one of the last few, so that edits of one link meet. */
  randomLink(): KnownLink | undefined {
    return pick(Math.random() < 0.5 ? this.#list.slice(-HOT_LINKS) : this.#list);
  }

  /** An edit that goes out; every value of it is of this edit alone. */
  sendEdit(link: KnownLink): Edit {
    const number = ++this.#edits;
    const originalUrl = `${link.record.originalUrl}/edit-${number} ü`;
    const changes: LinkChanges = {
      originalUrl,
      targetUrl: new URL(originalUrl).href,
      ...(number % 2 && { title: `edit ${number}` }),
      ...(number % 4 && { description: `${number} ü`.repeat(number % 60) }),
    };
    if (number % ALIAS_CHANGES === 0) {
      // What visitors use stays apart, so that a visit is always one of the link it was meant for.
      const free = link.redirects ? undefined : this.#free.shift();
      changes.alias = free?.toUpperCase() ?? `Edit-${number}`;
      this.aliases.add(changes.alias);
    }
    if (!link.redirects) {
      changes.passwordHash = number % 2 ? `hash ${number}` : null;
      changes.expiresAt = number % 3 ? Date.now() + DAY_MS + number : null;
      changes.waitTimerSeconds = number % 300;
      changes.gtmId = `GTM-${1000 + number}`;
      changes.isActive = number % 3 > 0;
    }
    const edit = { changes, modified: Date.now() + number };
    link.underWay.push(edit);
    link.edits++;
    return edit;
  }

  acknowledgeEdit(link: KnownLink, edit: Edit, told: LinkState): void {
    link.underWay.splice(link.underWay.indexOf(edit), 1);
    const expected = editedState(link.state, edit);
    const wrong = differences(told, expected);
    if (wrong.length > 0) throw new RangeError(`an edit was answered with ${wrong.join(', ')}`);
    this.edited++;
    this.become(link, expected);
  }

  /** What is sure to be on disk. */
  become(link: KnownLink, state: LinkState): void {
    if (!link.redirects && state.alias !== link.state.alias) this.#free.push(link.state.alias);
    link.state = state;
  }
}

function stateOf(record: LinkRecord, gtmId: string | null): LinkState {
  return {
    id: record.id,
    alias: record.alias,
    aliasIsCustom: record.customAlias !== '',
    originalUrl: record.originalUrl,
    targetUrl: new URL(record.originalUrl).href,
    title: record.title,
    description: record.description,
    passwordHash: null,
    expiresAt: record.expiresAt === null ? null : Date.parse(record.expiresAt),
    waitTimerSeconds: record.waitTimer,
    gtmId,
    isActive: record.isActive,
    created: Date.parse(record.created),
    modified: Date.parse(record.modified),
  };
}

function editedState(state: LinkState, { changes, modified }: Edit): LinkState {
  const aliasIsCustom = state.aliasIsCustom || changes.alias !== undefined;
  return { ...state, ...changes, aliasIsCustom, modified };
}

/** What a link may be of which these edits were not answered: each whole or not at all, in any order. */
export function* possibleStates(state: LinkState, underWay: Edit[]): Generator<LinkState> {
  yield state;
  for (const [index, edit] of underWay.entries()) {
    yield* possibleStates(editedState(state, edit), underWay.toSpliced(index, 1));
  }
}

/** The fields in which a link is not as expected, in words. */
export function differences(link: LinkState, expected: LinkState): string[] {
  return Object.entries(expected).flatMap(([field, value]) => {
    const found = link[field as keyof LinkState];
    return found === value ? [] : [`${field} ${found}, not ${value}`];
  });
}

function pick<T>(list: T[]): T | undefined {
  return list[Math.floor(Math.random() * list.length)];
}
