import { expect, test } from 'vitest';
import type { Access, Authorization, TokenScope } from '../../../../server/store/account.ts';
import { authorize } from '../../../../server/store/rules/authorize.ts';

const ACCOUNT = { id: 'account-1' };
const SUSPENDED = { ...ACCOUNT, suspended: { reason: 'Spam', since: 1 } };
const BLOCK = { reason: 'Phishing' };
const MISSING = { token: undefined, account: undefined, block: undefined };

const byToken = (access: Access = 'all'): Authorization => ({
  kind: 'token',
  tokenHash: 'hash',
  access,
});
const tokenOf = (scope: TokenScope) => ({ accountId: ACCOUNT.id, scope });
const VALID = { token: tokenOf('all'), account: ACCOUNT, block: undefined };

test.each<[TokenScope, Access, boolean]>([
  ['all', 'all', true],
  ['all', 'create', true],
  ['all', 'read', true],
  ['all', 'any_token', true],
  ['create', 'all', false],
  ['create', 'create', true],
  ['create', 'read', false],
  ['create', 'any_token', true],
  ['read', 'all', false],
  ['read', 'create', false],
  ['read', 'read', true],
  ['read', 'any_token', true],
])('a token with the scope %s for what needs %s: %s', (scope, access, isAllowed) => {
  const error = authorize(byToken(access), { ...VALID, token: tokenOf(scope) });
  expect(error?.code).toBe(isAllowed ? undefined : 'insufficient_scope');
});

test('a token that was revoked, or is of another account, is invalid', () => {
  for (const token of [undefined, { ...VALID.token, accountId: 'account-2' }]) {
    expect(authorize(byToken(), { ...VALID, token })?.code).toBe('invalid_token');
  }
});

test('a token of an account that was deleted is invalid', () => {
  expect(authorize(byToken(), { ...VALID, account: undefined })?.code).toBe('invalid_token');
});

test.each<Authorization>([byToken('any_token'), { kind: 'identity' }])(
  '$kind: fails for a suspended or blocked account, with the reason',
  (by) => {
    expect(authorize(by, VALID)).toBeUndefined();
    const suspended = authorize(by, { ...VALID, account: SUSPENDED });
    expect(suspended).toMatchObject({ code: 'account_suspended' });
    expect(suspended?.message).toContain('(Spam)');
    const blocked = authorize(by, { ...VALID, block: BLOCK });
    expect(blocked).toMatchObject({ code: 'account_suspended' });
    expect(blocked?.message).toContain('(Phishing)');
  },
);

test.each<Authorization>([{ kind: 'administrator' }, { kind: 'anonymous' }])(
  '$kind: needs neither a token nor an account',
  (by) => {
    expect(authorize(by, MISSING)).toBeUndefined();
  },
);

test('an administrator can change a suspended account', () => {
  const facts = { ...MISSING, account: SUSPENDED, block: BLOCK };
  expect(authorize({ kind: 'administrator' }, facts)).toBeUndefined();
});
