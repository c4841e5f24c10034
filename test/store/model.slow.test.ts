import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Token } from '../../server/store/account.ts';
import type {
  AddLinkOutcome,
  EditLinkOutcome,
  LinkChanges,
  NewLink,
} from '../../server/store/link-calls.ts';
import type { Store } from '../../server/store/store.ts';
import { newFolder } from '../support/new-folder.ts';
import { ADMINISTRATOR, editOf, NOW, newLink, ownLinkOf, targetOf } from './contract.ts';
import { openFolder } from './support/folders.ts';
import { linkText, StoreModel } from './support/store-model.ts';

const ALIASES = ['a', 'A', 'b', 'c', 'd', 'e'];
const ACCOUNTS = ['account-1', 'account-2', 'account-3'];
const KEYS = ['key-1', 'key-2', 'key-3'];
const QUOTA = 6;

type Real = { folder: string; store: Store };
type Command = fc.AsyncCommand<StoreModel, Real>;

/** A call; `link` is an index among the existing links, and `account` a name without its generation. */
type Call =
  | { kind: 'add'; input: NewLink; account: string }
  | {
      kind: 'edit';
      link: number;
      isOwn: boolean;
      changes: LinkChanges;
      version: number | undefined;
    }
  | { kind: 'purge'; link: number }
  | { kind: 'move'; link: number; account: string }
  | { kind: 'takeVisit'; link: number }
  | { kind: 'addToken'; account: string; id: string; scope: Token['scope'] }
  | { kind: 'revokeToken'; account: string; token: number }
  | { kind: 'deleteAccount'; account: string };

type Bound = { real: (store: Store) => Promise<string>; model: (model: StoreModel) => string };

/** Gives accounts other names after they were deleted, because ids are never used again. */
function idOf(account: string, { deleted }: StoreModel): string {
  for (let generation = 1; ; generation++) {
    const id = `${account}.${generation}`;
    if (!deleted.has(id)) return id;
  }
}

/** The call as it is before any of the concurrent calls. */
function bind(call: Call, model: StoreModel): Bound {
  if (call.kind === 'add') return bindAdd(call, model);
  if (call.kind === 'addToken' || call.kind === 'revokeToken' || call.kind === 'deleteAccount') {
    const id = idOf(call.account, model);
    // Nobody knows an account before it exists.
    const tokens = model.tokens.get(id);
    if (!tokens) return { real: async () => 'nothing', model: () => 'nothing' };
    return bindAccountCall(call, id, tokens);
  }
  const link = model.links[call.link % model.links.length];
  const own = ownLinkOf({ id: link?.id ?? 'nowhere', accountId: link?.accountId ?? 'nobody' });
  if (call.kind === 'purge') {
    return {
      real: (store) => store.purgeLink(own),
      model: (copy) => copy.purge(own),
    };
  }
  if (call.kind === 'move') {
    const to = idOf(call.account, model);
    if (!model.tokens.has(to)) return { real: async () => 'nothing', model: () => 'nothing' };
    return {
      real: (store) => store.administration.moveLink(own, to),
      model: (copy) => copy.move(own, to),
    };
  }
  if (call.kind === 'takeVisit') {
    return {
      real: async (store) => `${await store.takeVisit(own.linkId)}`,
      model: (copy) => copy.takeVisit(own.linkId),
    };
  }
  const { changes, isOwn, version } = call;
  const edit = {
    ...editOf({ id: own.linkId, accountId: isOwn ? own.accountId : 'nobody' }, changes),
    ...(version !== undefined && { version }),
  };
  return {
    real: async (store) => outcomeText(await store.editLink(edit)),
    model: (copy) => copy.edit(edit),
  };
}

function bindAdd({ input, account }: Call & { kind: 'add' }, model: StoreModel): Bound {
  const accountId = idOf(account, model);
  const newAccount = input.newAccount && {
    ...input.newAccount,
    id: accountId,
    tokenHash: `first of ${accountId}`,
  };
  // The account exists once: anonymous calls make a new one.
  const isNew = newAccount && !model.tokens.has(accountId) && model.month(accountId) === 0;
  const bound = {
    ...input,
    link: { ...input.link, accountId },
    newAccount: isNew ? newAccount : null,
  };
  return {
    real: async (store) => outcomeText(await store.addLink(bound)),
    model: (copy) => copy.add(bound),
  };
}

function bindAccountCall(
  call: Call & { kind: 'addToken' | 'revokeToken' | 'deleteAccount' },
  accountId: string,
  tokens: Token[],
): Bound {
  if (call.kind === 'addToken') {
    const { id, scope } = call;
    const token: Token = {
      id: `${id} of ${accountId}`,
      accountId,
      tokenHash: `${id} of ${accountId}`,
      name: id,
      scope,
      created: NOW,
      lastUsedOn: null,
    };
    return {
      real: (store) => store.addToken({ token, by: ADMINISTRATOR }),
      model: (copy) => copy.addToken(token),
    };
  }
  if (call.kind === 'revokeToken') {
    const id = tokens[call.token % tokens.length]?.id ?? 'nothing';
    return {
      real: (store) => store.revokeToken({ id, accountId, by: ADMINISTRATOR, evenIfLast: false }),
      model: (copy) => copy.revokeToken(accountId, id),
    };
  }
  return {
    real: async (store) => {
      await store.deleteAccount({ accountId, by: ADMINISTRATOR });
      return 'deleted';
    },
    model: (copy) => copy.deleteAccount(accountId),
  };
}

function outcomeText(outcome: AddLinkOutcome | EditLinkOutcome): string {
  if (outcome.kind === 'added') return `added ${outcome.link.alias}`;
  if (outcome.kind === 'edited') return `edited ${linkText(outcome.link)}`;
  if (outcome.kind === 'version_mismatch') return `version_mismatch ${linkText(outcome.link)}`;
  if (outcome.kind === 'replayed') return `replayed ${outcome.replay.link.alias}`;
  return outcome.kind;
}

function* ordersOf(count: number, taken: number[] = []): Generator<number[]> {
  if (taken.length === count) yield taken;
  for (let next = 0; next < count; next++) {
    if (!taken.includes(next)) yield* ordersOf(count, [...taken, next]);
  }
}

class CallAtOnce implements Command {
  readonly calls: Call[];
  constructor(calls: Call[]) {
    this.calls = calls;
  }
  check = () => true;
  /** The outcomes must match some sequential order of the calls. */
  async run(model: StoreModel, { store }: Real): Promise<void> {
    const calls = this.calls.map((call) => bind(call, model));
    const actual = await Promise.all(calls.map(({ real }) => real(store)));
    for (const order of ordersOf(calls.length)) {
      const attempt = model.copy();
      const expected: (string | undefined)[] = [];
      for (const index of order) expected[index] = calls[index]?.model(attempt);
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
  check = (model: StoreModel) => model.find(this.alias) !== undefined;
  async run(model: StoreModel, { store }: Real): Promise<void> {
    const link = model.find(this.alias);
    if (!link) return;
    link.hits++;
    store.countHit(link.id);
  }
  toString = () => `visit(${this.alias})`;
}

class Reopen implements Command {
  check = () => true;
  async run(_model: StoreModel, real: Real): Promise<void> {
    await real.store.close();
    real.store = await openFolder(real.folder, { compactAtBytes: 500 });
  }
  toString = () => 'reopen()';
}

async function listedIds(store: Store, accountId: string): Promise<string[]> {
  const query = { accountId, limit: 1000, after: null, search: null, tag: null };
  return (await store.listLinks(query)).links.map(({ id }) => id).sort();
}

class Look implements Command {
  check = () => true;
  async run(model: StoreModel, { store }: Real): Promise<void> {
    for (const alias of ALIASES) {
      expect(await store.findLink(alias)).toEqual(model.find(alias));
      expect(await store.isAliasFree(alias)).toBe(model.isAliasFree(alias));
    }
    for (const account of ACCOUNTS) {
      const id = idOf(account, model);
      const [month, total] = [model.month(id), model.total(id)];
      expect(await store.countLinks(id, NOW)).toEqual({ month, total, imported: 0 });
      expect(await listedIds(store, id)).toEqual(model.idsOf(id));
      expect(await store.listTokens(id)).toEqual(model.tokens.get(id) ?? []);
      for (const token of model.tokens.get(id) ?? []) {
        expect((await store.findToken(token.tokenHash))?.token).toEqual(token);
      }
    }
    for (const id of model.deleted) {
      expect(await store.findToken(`first of ${id}`)).toBeUndefined();
      expect(await store.countLinks(id, NOW)).toEqual({ month: 0, total: 0, imported: 0 });
    }
    for (const key of KEYS) {
      const { bodyHash, link } = (await store.findReplay(key, NOW)) ?? {};
      const known = model.keys.get(key);
      const expected = known && !known.isSpent && { bodyHash: known.bodyHash, link: known.link };
      expect(bodyHash && { bodyHash, link }).toEqual(expected || undefined);
    }
  }
  toString = () => 'look()';
}

const input: fc.Arbitrary<Call> = fc
  .record({
    aliases: fc.array(fc.constantFrom(...ALIASES), { minLength: 1, maxLength: 3 }),
    account: fc.constantFrom(...ACCOUNTS),
    opens: fc.boolean(),
    key: fc.option(fc.constantFrom(...KEYS)),
    bodyHash: fc.constantFrom('body', 'other'),
    title: fc.string({ unit: 'binary' }),
    description: fc.option(fc.string({ unit: 'grapheme' })),
    maxVisits: fc.option(fc.integer({ min: 1, max: 3 })),
  })
  .map(({ aliases, account, opens, key, bodyHash, title, description, maxVisits }) => {
    const newAccount = { id: '', tokenHash: '', name: '', created: NOW };
    const input = newLink('', {
      aliases,
      link: { title, description, maxVisits },
      newAccount: opens ? newAccount : null,
      idempotency: key === null ? null : { keyHash: key, bodyHash, tokenSalt: null },
      quota: QUOTA,
    });
    return { kind: 'add', input, account };
  });

/** Removes undefined fields. */
function defined(fields: object): LinkChanges {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });

const edit: fc.Arbitrary<Call> = fc
  .record({
    link: fc.nat(7),
    isOwn: fc.integer({ min: 0, max: 9 }).map((draw) => draw > 0),
    version: optional(fc.integer({ min: 1, max: 3 })),
    alias: optional(fc.constantFrom(...ALIASES)),
    previousAliases: optional(fc.subarray(ALIASES)),
    target: optional(fc.webUrl().map(targetOf)),
    title: optional(fc.string({ unit: 'binary' })),
    description: optional(fc.option(fc.string({ maxLength: 400, unit: 'grapheme' }))),
    maxVisits: optional(fc.option(fc.integer({ min: 1, max: 3 }))),
    isActive: optional(fc.boolean()),
    deletedAt: optional(fc.option(fc.constant(NOW))),
  })
  .map(({ link, isOwn, version, target, ...fields }) => ({
    kind: 'edit',
    link,
    isOwn,
    version,
    changes: defined({ ...fields, ...target }),
  }));

const call: fc.Arbitrary<Call> = fc.oneof(
  { weight: 6, arbitrary: input },
  { weight: 6, arbitrary: edit },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('purge'), link: fc.nat(7) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('takeVisit'), link: fc.nat(7) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('move'),
      link: fc.nat(7),
      account: fc.constantFrom(...ACCOUNTS),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('addToken'),
      account: fc.constantFrom(...ACCOUNTS),
      id: fc.uuid(),
      scope: fc.constantFrom('all', 'read'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('revokeToken'),
      account: fc.constantFrom(...ACCOUNTS),
      token: fc.nat(3),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('deleteAccount'),
      account: fc.constantFrom(...ACCOUNTS),
    }),
  },
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
          const setup = () => ({ model: new StoreModel(), real });
          await fc.asyncModelRun(setup, [...commands, new Look()]);
        } finally {
          await real.store.close();
        }
      },
    ),
    { numRuns: 200 },
  );
});
