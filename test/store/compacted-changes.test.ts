import { expect, test } from 'vitest';
import { ManualTime } from '../support/manual-time.ts';
import { newFolder } from '../support/new-folder.ts';
import {
  ADMINISTRATOR,
  addLink,
  editOf,
  NOW,
  newKey,
  newLink,
  newToken,
  ownLinkOf,
} from './contract.ts';
import { compactFolder } from './support/compact-folder.ts';
import { openFolder } from './support/folders.ts';

// That a snapshot has all that it must have, the contract proves: it reopens each store from one.

test('a snapshot has nothing of what was undone, revoked or erased', async () => {
  const folder = await newFolder();
  const store = await openFolder(folder);
  const { administration } = store;
  const newAccount = { id: 'account-1', tokenHash: 'secret-token', name: 'Ann', created: NOW };
  const link = await addLink(store, newLink('a', { newAccount, link: { title: 'secret-title' } }));
  await store.editLink(editOf(link, { title: 'edited' }));
  await store.revokeToken({
    ...{ id: 'account-1', accountId: 'account-1', by: ADMINISTRATOR, evenIfLast: true },
  });
  const token = newToken('account-1', { name: 'secret-name' });
  await store.addToken({ token, by: ADMINISTRATOR });
  await store.revokeToken({ ...token, by: ADMINISTRATOR, evenIfLast: true });
  const suspended = { reason: 'secret-suspension', since: NOW };
  await administration.editAccount('account-1', { suspended });
  await administration.editAccount('account-1', { suspended: null });
  const block = {
    kind: 'host',
    value: 'evil.example',
    reason: 'secret-block',
    since: NOW,
  } as const;
  await administration.addBlock(block);
  await administration.removeBlock(block);
  const other = { id: 'account-2', tokenHash: 'secret-other', name: '', identityHash: 'secret-id' };
  await store.addAccount({ ...other, created: NOW });
  const moved = await addLink(store, newLink('b', { link: { title: 'secret-moved' } }));
  await administration.moveLink(ownLinkOf(moved), 'account-2');
  await administration.addBlock({ ...block, kind: 'account', value: 'account-2' });
  const deletion = store.deleteAccount({ accountId: 'account-2', by: ADMINISTRATOR });
  // The deletion is being written.
  store.markTokenUsed({ id: 'account-2', accountId: 'account-2' }, NOW);
  await deletion;
  await store.close();
  const text = await compactFolder(folder, NOW);
  expect(text).toContain('"title":"edited"');
  expect(text).toContain('["alias","b",{"accountId":""}]');
  expect(text).not.toMatch(/secret-|account-2/);
});

test('a snapshot has spent idempotency keys until they expire, and quotas for a month', async () => {
  const folder = await newFolder();
  const store = await openFolder(folder);
  const replay = newLink('a', { idempotency: newKey() });
  await store.purgeLink(ownLinkOf(await addLink(store, replay)));
  await store.close();
  const before = await compactFolder(folder, NOW);
  expect(before).toContain('["idempotencyKey",');
  expect(before).toContain('["quota","account-1 ');
  expect(before).toContain('"bodyHash":""');
  const afterDays = async (days: number) => {
    const time = new ManualTime();
    const opened = await openFolder(folder, { time });
    await time.passDays(days);
    await opened.close();
    return compactFolder(folder, time.now());
  };
  expect(await afterDays(3)).not.toContain('["idempotencyKey",');
  const later = await afterDays(70);
  expect(later).not.toContain('["quota",');
  expect(later).toContain('["alias","a",{"accountId":"account-1"}]');
});
