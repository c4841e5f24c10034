import { describe, expect, test } from 'vitest';
import type { Access, Account, Authorization, Token } from '../../../server/store/account.ts';
import type { Link } from '../../../server/store/link.ts';
import type { Store } from '../../../server/store/store.ts';
import {
  ADMINISTRATOR,
  addLink,
  editOf,
  NOW,
  newAccount,
  newLink,
  newToken,
  type OpenSubject,
  ownLinkOf,
} from '../contract.ts';

type Fixture = { store: Store; account: Account; token: Token; link: Link };
type Change = (fixture: Fixture, by: Authorization) => Promise<unknown>;

/** Every change that a token can make, with the outcome if it may. */
const CHANGES: [title: string, access: Access, change: Change, outcome: unknown][] = [
  [
    'addLink',
    'create',
    async ({ store, link }, by) => (await store.addLink(linkOf(link.accountId, 'late', by))).kind,
    'added',
  ],
  [
    'editLink',
    'all',
    async ({ store, link }, by) =>
      (await store.editLink({ ...editOf(link, { title: 'Late' }), by })).kind,
    'edited',
  ],
  [
    'purgeLink',
    'all',
    ({ store, link }, by) => store.purgeLink({ ...ownLinkOf(link), by }),
    'purged',
  ],
  [
    'addToken',
    'all',
    ({ store, account }, by) => store.addToken({ token: newToken(account.id), by }),
    'added',
  ],
  [
    'revokeToken',
    'all',
    ({ store, account: { id } }, by) =>
      store.revokeToken({ id, accountId: id, by, evenIfLast: true }),
    'revoked',
  ],
  [
    'deleteAccount',
    'all',
    ({ store, account }, by) => store.deleteAccount({ accountId: account.id, by }),
    undefined,
  ],
  [
    'editAccount',
    'all',
    async ({ store, account }, by) => {
      const edited = await store.administration.editAccount(
        account.id,
        { domain: 'go.example' },
        by,
      );
      return edited?.domain;
    },
    'go.example',
  ],
];

const SUSPENSION = { suspended: { reason: 'Spam', since: NOW } };

export function describeAuthorization(name: string, open: OpenSubject): void {
  describe(`${name}: authorization`, () => {
    describe.each(CHANGES)('%s', (_title, access, change, outcome) => {
      test('succeeds with a token that allows it, and by an administrator', async () => {
        const fixture = await openWithToken(open);
        expect(await change(fixture, byToken(fixture, access))).toBe(outcome);
        const other = await openWithToken(open);
        await other.store.administration.editAccount(other.account.id, SUSPENSION);
        expect(await change(other, ADMINISTRATOR)).toBe(outcome);
      });

      test('changes nothing once the token is revoked, also if that is under way', async () => {
        const fixture = await openWithToken(open);
        const { store, token } = fixture;
        const by = byToken(fixture, access);
        const before = await stateOf(fixture);
        const revoked = store.revokeToken({ ...token, by: ADMINISTRATOR, evenIfLast: false });
        await expect(change(fixture, by)).rejects.toMatchObject({ code: 'invalid_token' });
        expect(await revoked).toBe('revoked');
        await expect(change(fixture, by)).rejects.toMatchObject({ code: 'invalid_token' });
        const tokens = before.tokens.filter((id) => id !== token.id);
        expect(await stateOf(fixture)).toEqual({ ...before, tokens });
      });

      test('changes nothing once the account is suspended, also if that is under way', async () => {
        const fixture = await openWithToken(open);
        const { store, account } = fixture;
        const by = byToken(fixture, access);
        const before = await stateOf(fixture);
        const suspended = store.administration.editAccount(account.id, SUSPENSION);
        await expect(change(fixture, by)).rejects.toMatchObject({ code: 'account_suspended' });
        await suspended;
        await expect(change(fixture, by)).rejects.toMatchObject({ code: 'account_suspended' });
        expect(await stateOf(fixture)).toEqual(before);
        await store.administration.editAccount(account.id, { suspended: null });
        expect(await change(fixture, by)).toBe(outcome);
      });

      test('changes nothing once the account is blocked', async () => {
        const fixture = await openWithToken(open);
        const { store, account } = fixture;
        const before = await stateOf(fixture);
        const block = { kind: 'account', value: account.id, reason: 'Spam', since: NOW } as const;
        expect(await store.administration.addBlock(block)).toBe(true);
        await expect(change(fixture, byToken(fixture, access))).rejects.toMatchObject({
          code: 'account_suspended',
        });
        expect(await stateOf(fixture)).toEqual(before);
      });

      test('changes nothing once the account is deleted', async () => {
        const fixture = await openWithToken(open);
        const { store, account } = fixture;
        const by = byToken(fixture, access);
        const deleted = store.deleteAccount({ accountId: account.id, by: ADMINISTRATOR });
        await expect(change(fixture, by)).rejects.toMatchObject({ code: 'invalid_token' });
        await deleted;
        await expect(change(fixture, by)).rejects.toMatchObject({ code: 'invalid_token' });
      });

      test('changes nothing with a token of another account, or of another scope', async () => {
        const fixture = await openWithToken(open);
        const { store } = fixture;
        const stranger = newAccount();
        await store.addAccount(stranger);
        const reading = newToken(fixture.account.id, { scope: 'read' });
        await store.addToken({ token: reading, by: ADMINISTRATOR });
        const before = await stateOf(fixture);
        await expect(change(fixture, byToken({ token: stranger }, access))).rejects.toMatchObject({
          code: 'invalid_token',
        });
        await expect(change(fixture, byToken({ token: reading }, access))).rejects.toMatchObject({
          code: 'insufficient_scope',
        });
        expect(await stateOf(fixture)).toEqual(before);
      });
    });

    test('is decided for each of several new links by itself', async () => {
      const { store, account, token, link } = await openWithToken(open);
      const other = newToken(account.id);
      await store.addToken({ token: other, by: ADMINISTRATOR });
      const revoked = store.revokeToken({ ...other, by: ADMINISTRATOR, evenIfLast: false });
      const outcomes = await Promise.allSettled(
        ['one', 'two', 'three', 'four'].map((alias, place) =>
          store.addLink(
            linkOf(link.accountId, alias, byToken({ token: place % 2 ? other : token }, 'create')),
          ),
        ),
      );
      expect(await revoked).toBe('revoked');
      const results = outcomes.map((outcome) =>
        outcome.status === 'fulfilled' ? outcome.value.kind : outcome.reason.code,
      );
      expect(results).toEqual(['added', 'invalid_token', 'added', 'invalid_token']);
    });

    test('by a sign-in fails once the account is suspended', async () => {
      const { store, account } = await openWithToken(open);
      const by = { kind: 'identity' } as const;
      expect(await store.addToken({ token: newToken(account.id), by })).toBe('added');
      const suspended = store.administration.editAccount(account.id, SUSPENSION);
      await expect(store.addToken({ token: newToken(account.id), by })).rejects.toMatchObject({
        code: 'account_suspended',
      });
      await suspended;
    });
  });
}

function byToken({ token }: { token: Pick<Token, 'tokenHash'> }, access: Access): Authorization {
  return { kind: 'token', tokenHash: token.tokenHash, access };
}

function linkOf(accountId: string, alias: string, by: Authorization) {
  return newLink(alias, { by, link: { accountId } });
}

/** An account with a link and a token besides its first one. */
async function openWithToken(open: OpenSubject): Promise<Fixture> {
  const { store } = await open();
  const account = newAccount();
  await store.addAccount(account);
  const link = await addLink(store, linkOf(account.id, 'kept', ADMINISTRATOR));
  const token = newToken(account.id);
  await store.addToken({ token, by: ADMINISTRATOR });
  return { store, account, token, link };
}

async function stateOf({ store, account: { id: accountId } }: Fixture) {
  const all = { accountId, limit: 10, after: null, search: null, tag: null };
  const tokens = await store.listTokens(accountId);
  return { links: (await store.listLinks(all)).links, tokens: tokens.map(({ id }) => id).sort() };
}
