import { expect, onTestFinished, test, vi } from 'vitest';
import { createApi } from '../../../../server/dashboard/api/api.ts';
import { SIGNED_OUT } from '../../../../server/dashboard/api/calls.ts';
import {
  createEndedKeys,
  createSession,
  TOKEN_KEY,
} from '../../../../server/dashboard/session/session.ts';

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

test('a sign-in until the tab is closed leaves the token of the device alone', () => {
  const temporary = newStorage();
  const lasting = newStorage('curt_device');
  const session = createSession({ temporary, lasting });
  expect(session.token.value).toBe('curt_device');
  expect(session.stays()).toBe(true);
  session.signIn('curt_tab', false);
  expect(session.token.value).toBe('curt_tab');
  expect(session.stays()).toBe(false);
  expect([temporary.items.get(TOKEN_KEY), lasting.items.get(TOKEN_KEY)]).toEqual([
    'curt_tab',
    'curt_device',
  ]);
});

test('a sign-in that stays replaces the token of the device', () => {
  const temporary = newStorage('curt_tab');
  const lasting = newStorage('curt_device');
  const session = createSession({ temporary, lasting });
  expect(session.replacesLasting('curt_new')).toBe(true);
  session.signIn('curt_new', true);
  expect([temporary.items.has(TOKEN_KEY), lasting.items.get(TOKEN_KEY)]).toEqual([
    false,
    'curt_new',
  ]);
  expect(session.replacesLasting('curt_new')).toBe(false);
});

test.each(['by_user', 'token_revoked', 'account_deleted'] as const)(
  'signing out (%s) deletes this token only, and says why',
  (reason) => {
    const temporary = newStorage('curt_tab');
    const lasting = newStorage('curt_device');
    const session = createSession({ temporary, lasting });
    session.signOut(reason);
    expect(session.token.value).toBeUndefined();
    expect(session.signedOut.value).toBe(reason);
    expect([temporary.items.has(TOKEN_KEY), lasting.items.get(TOKEN_KEY)]).toEqual([
      false,
      'curt_device',
    ]);
    session.signIn('curt_device', false);
    expect(session.signedOut.value).toBeUndefined();
    session.signOut('by_user');
    expect([temporary.items.size, lasting.items.size]).toEqual([0, 0]);
  },
);

test.each([
  ['the same account', 'first', 'first', []],
  ['another account', 'first', 'second', ['its address']],
  ['an account that nobody knows', 'first', undefined, ['its address']],
  ['an account, after one that nobody knew', undefined, 'second', ['its address']],
])(
  'after a key is revoked, %s finds only what it has left itself',
  (_, before, after, expected: string[]) => {
    const left: string[] = [];
    const temporary = newStorage();
    const open = () =>
      createSession({
        temporary,
        lasting: newStorage(),
        onLeave: ({ keepsAddress }) => left.push(keepsAddress ? 'the new address' : 'its address'),
      });
    const session = open();
    session.signIn('curt_first', false, before);
    session.signOut('token_revoked');
    expect(left).toEqual([]);
    // Also after a reload.
    const reloaded = open();
    reloaded.signIn('curt_new', false, after);
    expect(left).toEqual(expected);
    reloaded.signIn('curt_third', false, after);
    expect(left).toEqual([...expected, 'the new address']);
  },
);

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

test('what goes on after another account signed in sends nothing in its name', async () => {
  const lasting = newStorage('curt_first');
  const session = createSession({ temporary: newStorage(), lasting });
  const call = createApi(session, 'http://localhost').callOfAccount();
  const sent: (string | null)[] = [];
  vi.stubGlobal('fetch', async (_: unknown, { headers }: RequestInit) => {
    sent.push(new Headers(headers).get('authorization'));
    return new Response('{}');
  });
  onTestFinished(() => void vi.unstubAllGlobals());
  await call((client) => client.getAccount());
  lasting.setItem(TOKEN_KEY, 'curt_second');
  session.refresh();
  expect(await call((client) => client.getAccount())).toEqual(SIGNED_OUT);
  expect(sent).toEqual(['Bearer curt_first']);
});

test('a page that goes on after its user signed out sends nothing', async () => {
  const session = createSession({ temporary: newStorage(), lasting: newStorage() });
  let isSent = false;
  const result = await createApi(session, 'http://localhost').call(async () => {
    isSent = true;
    return { ok: true, data: undefined };
  });
  expect(result).toEqual(SIGNED_OUT);
  expect(isSent).toBe(false);
});

test('a new tab takes over the token of another tab, but none that somebody signed out with', () => {
  const device = newStorage();
  const ended = createEndedKeys(device, 'curt-ended');
  const tab = createSession({ temporary: newStorage(), lasting: device, ended });
  tab.adopt('curt_first');
  expect(tab.token.value).toBe('curt_first');
  tab.adopt('curt_second');
  expect(tab.token.value).toBe('curt_first');
  tab.signOut('by_user');
  tab.adopt('curt_first');
  expect(tab.token.value).toBeUndefined();
});
