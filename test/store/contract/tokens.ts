import { describe, expect, test } from 'vitest';
import { TOKEN_HASH_START } from '../../../server/store/account.ts';
import { TOKENS_MAX } from '../../../shared/limits.ts';
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

export function describeTokens(name: string, open: OpenSubject): void {
  describe(`${name}: tokens`, () => {
    test('belong to their account, the first one with its id', async () => {
      const { store, reopen, account, first } = await openWithAccount(open);
      const tokens = [
        newToken(account.id),
        newToken(account.id, { name: '', scope: 'read' }),
        newToken(account.id, { scope: 'create' }),
      ];
      for (const token of tokens)
        expect(await store.addToken({ token, by: ADMINISTRATOR })).toBe('added');
      for await (const subject of inTurn(store, reopen)) {
        expect(await subject.listTokens(account.id)).toEqual([first, ...tokens]);
        for (const token of [first, ...tokens]) {
          expect(await subject.findToken(token.tokenHash)).toEqual({ account, token });
          const start = token.tokenHash.slice(0, TOKEN_HASH_START);
          expect(await subject.findTokenHash(start)).toBe(token.tokenHash);
        }
        expect(await subject.findTokenHash('-'.repeat(TOKEN_HASH_START))).toBeUndefined();
        expect(await subject.listTokens('nobody')).toEqual([]);
        expect(await subject.addToken({ token: newToken('nobody'), by: ADMINISTRATOR })).toBe(
          'not_found',
        );
      }
    });

    test('are limited, also under concurrent calls', async () => {
      const { store, account } = await openWithAccount(open);
      const outcomes = await Promise.all(
        Array.from({ length: TOKENS_MAX + 5 }, () =>
          store.addToken({ token: newToken(account.id), by: ADMINISTRATOR }),
        ),
      );
      expect(outcomes.filter((outcome) => outcome === 'added')).toHaveLength(TOKENS_MAX - 1);
      expect(outcomes.filter((outcome) => outcome === 'too_many')).toHaveLength(6);
      expect(await store.listTokens(account.id)).toHaveLength(TOKENS_MAX);
    });

    test('can be limited to another number', async () => {
      const { store, account } = await openWithAccount(open);
      expect(await store.addToken({ token: newToken(account.id), by: ADMINISTRATOR, max: 2 })).toBe(
        'added',
      );
      expect(await store.addToken({ token: newToken(account.id), by: ADMINISTRATOR, max: 2 })).toBe(
        'too_many',
      );
      for (let total = 3; total <= TOKENS_MAX; total++)
        await store.addToken({ token: newToken(account.id), by: ADMINISTRATOR });
      expect(await store.addToken({ token: newToken(account.id), by: ADMINISTRATOR })).toBe(
        'too_many',
      );
      expect(
        await store.addToken({
          token: newToken(account.id),
          by: ADMINISTRATOR,
          max: TOKENS_MAX + 1,
        }),
      ).toBe('added');
      expect(await store.listTokens(account.id)).toHaveLength(TOKENS_MAX + 1);
    });

    test('are invalid as soon as they are revoked', async () => {
      const { store, reopen, account, first } = await openWithAccount(open);
      const token = newToken(account.id);
      await store.addToken({ token, by: ADMINISTRATOR });
      expect((await store.findToken(first.tokenHash))?.token.id).toBe(first.id);
      expect(await store.revokeToken({ ...first, by: ADMINISTRATOR, evenIfLast: false })).toBe(
        'revoked',
      );
      for await (const subject of inTurn(store, reopen)) {
        expect(await subject.findToken(first.tokenHash)).toBeUndefined();
        const start = first.tokenHash.slice(0, TOKEN_HASH_START);
        expect(await subject.findTokenHash(start)).toBeUndefined();
        expect(await subject.listTokens(account.id)).toEqual([token]);
        expect(await subject.findToken(token.tokenHash)).toEqual({
          account,
          token,
        });
        expect(await subject.revokeToken({ ...first, by: ADMINISTRATOR, evenIfLast: false })).toBe(
          'not_found',
        );
        expect(
          await subject.revokeToken({
            ...token,
            accountId: 'nobody',
            by: ADMINISTRATOR,
            evenIfLast: true,
          }),
        ).toBe('not_found');
      }
    });

    test('are kept if they are the last ones for everything, unless that is confirmed', async () => {
      const { store, reopen, account, first } = await openWithAccount(open);
      const second = newToken(account.id);
      const reading = newToken(account.id, { scope: 'read' });
      await store.addToken({ token: second, by: ADMINISTRATOR });
      await store.addToken({ token: reading, by: ADMINISTRATOR });
      const outcomes = await Promise.all([
        store.revokeToken({ ...first, by: ADMINISTRATOR, evenIfLast: false }),
        store.revokeToken({ ...second, by: ADMINISTRATOR, evenIfLast: false }),
      ]);
      expect(outcomes.sort()).toEqual(['last_token', 'revoked']);
      expect(await store.revokeToken({ ...reading, by: ADMINISTRATOR, evenIfLast: false })).toBe(
        'revoked',
      );
      const [last] = await store.listTokens(account.id);
      if (!last) throw new Error('one token must be left');
      expect(await store.revokeToken({ ...last, by: ADMINISTRATOR, evenIfLast: true })).toBe(
        'revoked',
      );
      expect(await (await reopen()).listTokens(account.id)).toEqual([]);
    });

    test('have the day of their last use', async () => {
      const { store, reopen, account, first } = await openWithAccount(open);
      const token = newToken(account.id);
      await store.addToken({ token, by: ADMINISTRATOR });
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
}
