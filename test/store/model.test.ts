import fc from 'fast-check';
import { expect, test } from 'vitest';
import type {
  AddLinkOutcome,
  EditLinkOutcome,
  Link,
  LinkChanges,
  LinkEdit,
  NewLink,
} from '../../server/store/link.ts';
import type { Store } from '../../server/store/store.ts';
import { editOf, NOW, newLink, targetOf } from './contract.ts';
import { newFolder, openFolder } from './support/folders.ts';

const ALIASES = ['a', 'A', 'b', 'c', 'd', 'e'];
const ACCOUNTS = ['account-1', 'account-2', 'account-3'];
const KEYS = ['key-1', 'key-2', 'key-3'];
const QUOTA = 4;

/** The reference model of a store, made of maps. */
class Model {
  links: Link[] = [];
  /** With their links as they were created. */
  keys = new Map<string, { bodyHash: string; link: Link }>();
  tokens = new Map<string, string>();

  copy(): Model {
    const copy = new Model();
    copy.become(this);
    return copy;
  }

  become({ links, keys, tokens }: Model): void {
    this.links = [...links];
    this.keys = new Map(keys);
    this.tokens = new Map(tokens);
  }

  find(alias: string): Link | undefined {
    return this.links.find((link) => link.alias.toLowerCase() === alias.toLowerCase());
  }

  count(accountId: string): number {
    return this.links.filter((link) => link.accountId === accountId).length;
  }

  /** The expected outcome and its alias. */
  add({ link, aliases, newAccount, idempotency }: NewLink): string {
    const known = idempotency && this.keys.get(idempotency.keyHash);
    if (known) {
      return known.bodyHash === idempotency.bodyHash ? `replayed ${known.link.alias}` : 'mismatch';
    }
    if (this.count(link.accountId) >= QUOTA) return 'quota_exceeded';
    const alias = [...aliases].find((candidate) => !this.find(candidate));
    if (alias === undefined) return 'alias_taken';
    const stored = { ...link, alias };
    this.links.push({ ...stored });
    if (newAccount) this.tokens.set(newAccount.tokenHash, newAccount.id);
    if (idempotency) {
      this.keys.set(idempotency.keyHash, { bodyHash: idempotency.bodyHash, link: stored });
    }
    return `added ${alias}`;
  }

  /** The expected outcome with the whole link. */
  edit({ linkId, accountId, changes, modified }: LinkEdit): string {
    const at = this.links.findIndex(({ id }) => id === linkId);
    const link = this.links[at];
    if (link?.accountId !== accountId) return 'not_found';
    const alias = changes.alias ?? link.alias;
    if ((this.find(alias) ?? link).id !== linkId) return 'alias_taken';
    const aliasIsCustom = link.aliasIsCustom || alias !== link.alias;
    const edited = { ...link, ...changes, aliasIsCustom, modified };
    this.links[at] = edited;
    return `edited ${toText(edited)}`;
  }
}

/** Equal for equal links, regardless of the order of fields. */
function toText(link: Link): string {
  return JSON.stringify(Object.entries(link).sort());
}

function describeOutcome(outcome: AddLinkOutcome | EditLinkOutcome): string {
  if (outcome.kind === 'added') return `added ${outcome.link.alias}`;
  if (outcome.kind === 'edited') return `edited ${toText(outcome.link)}`;
  if (outcome.kind === 'replayed') return `replayed ${outcome.replay.link.alias}`;
  return outcome.kind;
}

function* ordersOf(count: number, taken: number[] = []): Generator<number[]> {
  if (taken.length === count) yield taken;
  for (let next = 0; next < count; next++) {
    if (!taken.includes(next)) yield* ordersOf(count, [...taken, next]);
  }
}

type Real = { folder: string; store: Store };
type Command = fc.AsyncCommand<Model, Real>;

/** An edit of the link with this index among the existing links. */
type Edit = { number: number; isOwn: boolean; changes: LinkChanges };
type Call = { input: NewLink } | { edit: Edit };

function aim({ number, isOwn, changes }: Edit, { links }: Model): LinkEdit {
  const { id = 'nowhere', accountId = 'account-1' } = links[number % links.length] ?? {};
  return editOf({ id, accountId: isOwn ? accountId : 'nobody' }, changes);
}

class CallAtOnce implements Command {
  readonly calls: Call[];
  constructor(calls: Call[]) {
    this.calls = calls;
  }
  check = () => true;
  /** The outcomes must match some sequential order of the calls. */
  async run(model: Model, { store }: Real): Promise<void> {
    const calls = this.calls.map((call) => {
      return 'input' in call ? call : { edit: aim(call.edit, model) };
    });
    const outcomes = await Promise.all(
      calls.map(async (call) => {
        return 'input' in call ? store.addLink(call.input) : store.editLink(call.edit);
      }),
    );
    const actual = outcomes.map(describeOutcome);
    for (const order of ordersOf(calls.length)) {
      const attempt = model.copy();
      const expected: string[] = [];
      for (const index of order) {
        const call = calls[index];
        if (!call) continue;
        expected[index] = 'input' in call ? attempt.add(call.input) : attempt.edit(call.edit);
      }
      if (expected.join() === actual.join()) return model.become(attempt);
    }
    expect.fail(`no order of the calls gives ${actual.join()}`);
  }
  toString = () => `call(${JSON.stringify(this.calls)})`;
}

class Visit implements Command {
  readonly alias: string;
  constructor(alias: string) {
    this.alias = alias;
  }
  check = (model: Model) => model.find(this.alias) !== undefined;
  async run(model: Model, { store }: Real): Promise<void> {
    const link = model.find(this.alias);
    if (!link) return;
    link.hits++;
    store.countHit(link.id);
  }
  toString = () => `visit(${this.alias})`;
}

class Reopen implements Command {
  check = () => true;
  async run(_model: Model, real: Real): Promise<void> {
    await real.store.close();
    real.store = await openFolder(real.folder, { compactAtBytes: 500 });
  }
  toString = () => 'reopen()';
}

class Look implements Command {
  check = () => true;
  async run(model: Model, { store }: Real): Promise<void> {
    for (const alias of ALIASES) expect(await store.findLink(alias)).toEqual(model.find(alias));
    for (const id of ACCOUNTS) {
      const count = model.count(id);
      expect(await store.countLinks(id, NOW)).toEqual({ month: count, total: count, imported: 0 });
      expect((await store.findToken(`token of ${id}`))?.account.id).toBe(
        model.tokens.get(`token of ${id}`),
      );
    }
    for (const key of KEYS) {
      const { bodyHash, link } = (await store.findReplay(key, NOW)) ?? {};
      expect(bodyHash && { bodyHash, link }).toEqual(model.keys.get(key));
    }
  }
  toString = () => 'look()';
}

const input = fc
  .record({
    aliases: fc.array(fc.constantFrom(...ALIASES), { minLength: 1, maxLength: 3 }),
    accountId: fc.constantFrom(...ACCOUNTS),
    opens: fc.boolean(),
    key: fc.option(fc.constantFrom(...KEYS)),
    bodyHash: fc.constantFrom('body', 'other'),
    title: fc.string({ unit: 'binary' }),
    description: fc.option(fc.string({ unit: 'grapheme' })),
    expiresAt: fc.option(fc.constant(NOW + 1)),
  })
  .map(({ aliases, accountId, opens, key, bodyHash, title, description, expiresAt }) => {
    const base = newLink('');
    return {
      ...base,
      aliases,
      link: { ...base.link, accountId, title, description, expiresAt },
      newAccount: opens
        ? { id: accountId, tokenHash: `token of ${accountId}`, name: '', created: NOW }
        : null,
      idempotency: key === null ? null : { keyHash: key, bodyHash, tokenSalt: null },
      monthlyQuota: QUOTA,
    };
  });

/** Removes undefined fields. */
function defined(fields: object): LinkChanges {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

const edit: fc.Arbitrary<Edit> = fc
  .record({
    number: fc.nat(7),
    isOwn: fc.integer({ min: 0, max: 9 }).map((draw) => draw > 0),
    alias: fc.option(fc.constantFrom(...ALIASES), { nil: undefined }),
    target: fc.option(fc.webUrl().map(targetOf), { nil: undefined }),
    title: fc.option(fc.string({ unit: 'binary' }), { nil: undefined }),
    description: fc.option(fc.option(fc.string({ maxLength: 400, unit: 'grapheme' })), {
      nil: undefined,
    }),
    expiresAt: fc.option(fc.option(fc.constant(NOW + 2)), { nil: undefined }),
    isActive: fc.option(fc.boolean(), { nil: undefined }),
  })
  .map(({ number, isOwn, target, ...fields }) => ({
    number,
    isOwn,
    changes: defined({ ...fields, ...target }),
  }));

const call: fc.Arbitrary<Call> = fc.oneof(
  input.map((input) => ({ input })),
  edit.map((edit) => ({ edit })),
);

test('the store behaves like a model made of maps, also when it is reopened at any time', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.commands(
        [
          fc.array(call, { minLength: 1, maxLength: 4 }).map((calls) => new CallAtOnce(calls)),
          fc.constantFrom(...ALIASES).map((alias) => new Visit(alias)),
          fc.constant(new Reopen()),
          fc.constant(new Look()),
        ],
        { maxCommands: 30 },
      ),
      async (commands) => {
        const folder = await newFolder();
        const real = { folder, store: await openFolder(folder, { compactAtBytes: 500 }) };
        try {
          await fc.asyncModelRun(() => ({ model: new Model(), real }), [...commands, new Look()]);
        } finally {
          await real.store.close();
        }
      },
    ),
    { numRuns: 200 },
  );
}, 60_000);
