import { expect, test } from 'vitest';
import { createSession, TOKEN_KEY } from '../../../../server/dashboard/session/session.ts';

/** A storage as browsers have it, in memory. */
function newStorage(token?: string) {
  const items = new Map(token === undefined ? [] : [[TOKEN_KEY, token]]);
  return {
    items,
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  };
}

test('a token is in one of the storages only, whatever was there before', () => {
  const temporary = newStorage();
  const lasting = newStorage('curt_before');
  const session = createSession({ temporary, lasting });
  expect(session.token.value).toBe('curt_before');
  session.signIn('curt_tab', false);
  expect([temporary.items.get(TOKEN_KEY), lasting.items.size]).toEqual(['curt_tab', 0]);
  session.signIn('curt_device', true);
  expect([temporary.items.size, lasting.items.get(TOKEN_KEY)]).toEqual([0, 'curt_device']);
});

test('signing out clears both storages and says why', () => {
  const temporary = newStorage('curt_tab');
  const lasting = newStorage('curt_device');
  const session = createSession({ temporary, lasting });
  session.signOut('token_revoked');
  expect(session.token.value).toBeUndefined();
  expect(session.signedOut.value).toBe('token_revoked');
  expect(temporary.items.size + lasting.items.size).toBe(0);
  session.signIn('curt_again', false);
  expect(session.signedOut.value).toBeUndefined();
});

test('another tab that signs out signs out this one, unless it has a token of its own', () => {
  const lasting = newStorage('curt_device');
  const shared = createSession({ temporary: newStorage(), lasting });
  const own = createSession({ temporary: newStorage('curt_tab'), lasting });
  lasting.items.clear();
  shared.refresh();
  own.refresh();
  expect(shared.token.value).toBeUndefined();
  expect(own.token.value).toBe('curt_tab');
});
