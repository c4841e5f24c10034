import { describe, expect, test } from 'vitest';
import { TOKEN_HASH_START, type Token } from '../../../server/store/account.ts';
import type { Store } from '../../../server/store/store.ts';
import { TOKENS_MAX } from '../../../shared/bounds.ts';
import {
  ADMINISTRATOR,
  addLink,
  inTurn,
  NOW,
  newAccount,
  newLink,
  newToken,
  type OpenSubject,
  type Subject,
  storedAccount,
} from '../contract.ts';

const DAY_MS = 86_400_000;

async function openWithAccount(open: OpenSubject) {
  const subject: Subject = await open();
  const account = newAccount();
  const link = { accountId: account.id };
  await addLink(subject.store, newLink('one', { newAccount: account, link }));
  const { id, tokenHash } = account;
  const first = newToken(id, { id, tokenHash, name: '', created: NOW });
  return { ...subject, account: storedAccount(account), first };
}

const add = (store: Store, token: Token, max?: number) =>
  store.addToken({ token, by: ADMINISTRATOR, ...(max !== undefined && { max }) });

const revoke = (store: Store, { id, accountId }: Token, evenIfLast = false) =>
  store.revokeToken({ id, accountId, by: ADMINISTRATOR, evenIfLast });

export function describeTokens(name: string, open: OpenSubject): void {
  describe(`${name}: tokens`, () => {
    test('belong to their account, the first one with its id', async () => {
      const { store, reopen, account, first } = await openWithAccount(open);
      const tokens = [
        newToken(account.id),
        newToken(account.id, { name: '', scope: 'read' }),
        newToken(account.id, { scope: 'create' }),
      ];
      for (const token of tokens) expect(await add(store, token)).toBe('added');
      for await (const subject of inTurn(store, reopen)) {
        expect(await subject.listTokens(account.id)).toEqual([first, ...tokens]);
        for (const token of [first, ...tokens]) {
          expect(await subject.findToken(token.tokenHash)).toEqual({ account, token });
          const start = token.tokenHash.slice(0, TOKEN_HASH_START);
          expect(await subject.findTokenHash(start)).toBe(token.tokenHash);
        }
        expect(await subject.findTokenHash('-'.repeat(TOKEN_HASH_START))).toBeUndefined();
        expect(await subject.listTokens('nobody')).toEqual([]);
        expect(await add(subject, newToken('nobody'))).toBe('not_found');
      }
    });

    test('are limited, also under concurrent calls', async () => {
      const { store, account } = await openWithAccount(open);
      const outcomes = await Promise.all(
        Array.from({ length: TOKENS_MAX + 5 }, () => add(store, newToken(account.id))),
      );
      expect(outcomes.filter((outcome) => outcome === 'added')).toHaveLength(TOKENS_MAX - 1);
      expect(outcomes.filter((outcome) => outcome === 'too_many')).toHaveLength(6);
      expect(await store.listTokens(account.id)).toHaveLength(TOKENS_MAX);
    });

    test('can be limited to another number', async () => {
      const { store, account } = await openWithAccount(open);
      expect(await add(store, newToken(account.id), 2)).toBe('added');
      expect(await add(store, newToken(account.id), 2)).toBe('too_many');
      for (let total = 3; total <= TOKENS_MAX; total++) await add(store, newToken(account.id));
      expect(await add(store, newToken(account.id))).toBe('too_many');
      expect(await add(store, newToken(account.id), TOKENS_MAX + 1)).toBe('added');
      expect(await store.listTokens(account.id)).toHaveLength(TOKENS_MAX + 1);
    });

    test('are invalid as soon as they are revoked', async () => {
      const { store, reopen, account, first } = await openWithAccount(open);
      const token = newToken(account.id);
      await add(store, token);
      expect((await store.findToken(first.tokenHash))?.token.id).toBe(first.id);
      expect(await revoke(store, first)).toBe('revoked');
      for await (const subject of inTurn(store, reopen)) {
        expect(await subject.findToken(first.tokenHash)).toBeUndefined();
        const start = first.tokenHash.slice(0, TOKEN_HASH_START);
        expect(await subject.findTokenHash(start)).toBeUndefined();
        expect(await subject.listTokens(account.id)).toEqual([token]);
        expect(await subject.findToken(token.tokenHash)).toEqual({
          account,
          token,
        });
        expect(await revoke(subject, first)).toBe('not_found');
        expect(await revoke(subject, { ...token, accountId: 'nobody' }, true)).toBe('not_found');
      }
    });

    test('are kept if they are the last ones for everything, unless that is confirmed', async () => {
      const { store, reopen, account, first } = await openWithAccount(open);
      const second = newToken(account.id);
      const reading = newToken(account.id, { scope: 'read' });
      await add(store, second);
      await add(store, reading);
      const outcomes = await Promise.all([revoke(store, first), revoke(store, second)]);
      expect(outcomes.sort()).toEqual(['last_token', 'revoked']);
      expect(await revoke(store, reading)).toBe('revoked');
      const [last] = await store.listTokens(account.id);
      if (!last) throw new Error('one token must be left');
      expect(await revoke(store, last, true)).toBe('revoked');
      expect(await (await reopen()).listTokens(account.id)).toEqual([]);
    });

    test('have the day of their last use', async () => {
      const { store, reopen, account, first } = await openWithAccount(open);
      const token = newToken(account.id);
      await add(store, token);
      for (const time of [NOW, NOW + 1, NOW - DAY_MS]) store.markTokenUsed(first, time);
      store.markTokenUsed(token, NOW + DAY_MS);
      store.markTokenUsed({ id: 'nothing', accountId: account.id }, NOW);
      store.markTokenUsed({ id: 'nobody', accountId: 'nobody' }, NOW);
      const day = NOW - (NOW % DAY_MS);
      for await (const subject of inTurn(store, reopen)) {
        expect(await subject.listTokens(account.id)).toEqual([
          { ...first, lastUsedOn: day },
          { ...token, lastUsedOn: day + DAY_MS },
        ]);
        expect((await subject.findToken(first.tokenHash))?.token.lastUsedOn).toBe(day);
      }
    });
  });

  describe(`${name}: codes that sign in`, () => {
    const MINUTES_MS = 60_000;

    async function openWithCode(open: OpenSubject) {
      const subject = await openWithAccount(open);
      const { first, account } = subject;
      const by = { kind: 'token', tokenHash: first.tokenHash, access: 'all' } as const;
      const newCode = (changes: Partial<Token> = {}) =>
        newToken(account.id, {
          name: '',
          created: NOW,
          signIn: { expires: NOW + 10 * MINUTES_MS, by: first.tokenHash },
          ...changes,
        });
      const code = newCode();
      expect(await subject.store.addSignInCode({ code, by })).toBe('added');
      const redeem = (
        changes: Partial<Token> = {},
        codeHash = code.tokenHash,
        to = subject.store,
      ) =>
        to.redeemSignInCode({
          codeHash,
          token: newToken(account.id, { created: NOW, ...changes }),
        });
      return { ...subject, by, code, newCode, redeem };
    }

    test('make a token once, also under concurrent calls and after a restart', async () => {
      const { store, reopen, account, first, redeem } = await openWithCode(open);
      expect(await store.listTokens(account.id)).toEqual([first]);
      const token = newToken(account.id, { created: NOW, name: 'Firefox' });
      const outcomes = await Promise.all([redeem(token), redeem(), redeem()]);
      expect(outcomes.sort()).toEqual(['invalid', 'invalid', 'redeemed']);
      for await (const subject of inTurn(store, reopen)) {
        expect(await subject.listTokens(account.id)).toHaveLength(2);
        expect(await redeem({}, undefined, subject)).toBe('invalid');
      }
    });

    test('are kept when the store is opened again', async () => {
      const { store, reopen, account, redeem } = await openWithCode(open);
      for await (const subject of inTurn(store, reopen)) {
        expect(await subject.listTokens(account.id)).toHaveLength(1);
        if (subject !== store) expect(await redeem({}, undefined, subject)).toBe('redeemed');
      }
    });

    test.each<[string, (subject: Awaited<ReturnType<typeof openWithCode>>) => Promise<unknown>]>([
      ['they have expired', async () => {}],
      ['the clock that was ahead of theirs is right again', async () => {}],
      ['the token that made them was revoked', ({ store, first }) => revoke(store, first, true)],
      [
        'the account is suspended',
        ({ store, account }) =>
          store.administration.editAccount(account.id, { suspended: { reason: '', since: NOW } }),
      ],
      [
        'the account is blocked',
        ({ store, account }) =>
          store.administration.addBlock({
            kind: 'account',
            value: account.id,
            reason: '',
            since: NOW,
          }),
      ],
      [
        'the account was deleted',
        ({ store, account }) => store.deleteAccount({ accountId: account.id, by: ADMINISTRATOR }),
      ],
    ])('make none once %s', async (why, change) => {
      const subject = await openWithCode(open);
      await change(subject);
      const times = {
        'they have expired': NOW + 10 * MINUTES_MS,
        'the clock that was ahead of theirs is right again': NOW - 10 * 365 * 86_400_000,
      };
      const created = times[why as keyof typeof times] ?? NOW;
      expect(await subject.redeem({ created })).toBe('invalid');
    });

    test('do not count as tokens, and the last token is the last one beside them', async () => {
      const { store, account, first, by, newCode, redeem } = await openWithCode(open);
      const codes = Array.from({ length: 25 }, () => newCode());
      for (const code of codes) await store.addSignInCode({ code, by });
      expect(await store.revokeToken({ ...first, by, evenIfLast: false })).toBe('last_token');
      // The oldest ones have ended.
      expect(await redeem({}, codes[4]?.tokenHash)).toBe('invalid');
      expect(await redeem({}, codes[5]?.tokenHash)).toBe('redeemed');
      for (let total = 3; total <= TOKENS_MAX; total++)
        expect(await store.addToken({ token: newToken(account.id), by })).toBe('added');
      expect(await redeem({}, codes[6]?.tokenHash)).toBe('too_many');
    });
  });
}
