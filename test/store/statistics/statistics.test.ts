import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { StoredStatistics } from '../../../server/store/json-file/data/stored-statistics.ts';
import type { Link } from '../../../server/store/link.ts';
import { toLinkVisits } from '../../../server/store/statistics/link-visits.ts';
import { newFolder } from '../../support/new-folder.ts';
import { ADMINISTRATOR, addLink, NOW, newLink, talliesOf, tally } from '../contract.ts';
import { compactFolder } from '../support/compact-folder.ts';
import { faultyDisk } from '../support/faulty-disk.ts';
import { openFolder, openUntilTestEnds } from '../support/folders.ts';
import { readData } from '../support/read-data.ts';
import { HOUR, NOTHING, visits } from '../support/visits-of-hour.ts';

const HOUR_MS = 3_600_000;

function newLinkOf(accountId: string, alias: string) {
  return newLink(alias, { link: { id: `id-of-${alias}`, accountId } });
}

describe('JSON-file store: visits', () => {
  test('of unknown links are not written', async () => {
    const folder = await newFolder();
    const store = await openUntilTestEnds(folder);
    await store.addVisits([visits('unknown')]);
    await store.addVisits([]);
    expect((await readData(folder)).text).not.toContain('visits');
  });

  test('of a link that a snapshot lacks count for its account', () => {
    const statistics = new StoredStatistics((kind) => kind === 'account');
    const ids = { linkId: 'purged', accountId: 'account-1' };
    statistics.add(toLinkVisits([visits(ids.linkId)], () => ids.accountId));
    expect(statistics.read({ linkId: ids.linkId }, NOW)).toEqual(NOTHING);
    expect(statistics.read({ accountId: ids.accountId }, NOW).hours).toMatchObject([{ people: 1 }]);
  });

  test('of many links share lines of bounded length', async () => {
    const folder = await newFolder();
    const store = await openUntilTestEnds(folder);
    const links: Link[] = [];
    for (let number = 0; number < 25; number++) {
      const batch = Array.from({ length: 100 }, (_, index) => newLink(`link-${number}-${index}`));
      const added = batch.map((input) => addLink(store, { ...input, quota: 10_000 }));
      links.push(...(await Promise.all(added)));
    }
    const dimensions = { referrers: tally({ 'a-host.example': 1 }) };
    await store.addVisits(links.map(({ id }) => visits(id, { tallies: talliesOf(dimensions) })));
    const { text } = await readData(folder);
    const lines = text.split('\n').filter((line) => line.includes('"visits"'));
    expect(lines).toHaveLength(3);
    for (const line of lines) expect(line.length).toBeLessThan(100_000);
    expect((await store.readStatistics({ accountId: 'account-1' })).hours).toMatchObject([
      { people: 2500 },
    ]);
  });

  test('are rejected all together if the disk fails, and are counted once on a retry', async () => {
    const { openFile, faults } = faultyDisk();
    const store = await openUntilTestEnds(await newFolder(), { openFile });
    const link = await addLink(store, newLink('one'));
    faults.set('datasync', 'ENOSPC');
    await expect(store.addVisits([visits(link.id)])).rejects.toThrow('could not be written');
    expect(await store.readStatistics({ linkId: link.id })).toEqual(NOTHING);
    faults.clear();
    await store.addVisits([visits(link.id)]);
    expect((await store.readStatistics({ linkId: link.id })).hours).toMatchObject([{ people: 1 }]);
  });
});

describe('JSON-file store: statistics', () => {
  test('are erased with their link or account, from all files by the next compaction', async () => {
    const folder = await newFolder();
    let store = await openFolder(folder);
    const links: Link[] = [];
    for (const alias of ['purged', 'kept', 'gone']) {
      links.push(await addLink(store, newLinkOf(alias === 'gone' ? 'b' : 'a', alias)));
    }
    const [purged, kept, gone] = links as [Link, Link, Link];
    const addAll = () =>
      store.addVisits(
        links.map(({ id, alias }) =>
          visits(id, { tallies: talliesOf({ referrers: tally({ [`of-${alias}.example`]: 1 }) }) }),
        ),
      );
    const reopen = async () => {
      await store.close();
      await compactFolder(folder, NOW);
      store = await openFolder(folder);
    };
    // One part is in the snapshot, the other in the journal.
    await addAll();
    await reopen();
    await addAll();
    expect(await store.purgeLink({ linkId: purged.id, accountId: 'a', by: ADMINISTRATOR })).toBe(
      'purged',
    );
    await store.deleteAccount({ accountId: 'b', by: ADMINISTRATOR });
    await addAll();
    for (const round of ['live', 'compacted', 'again']) {
      if (round !== 'live') await reopen();
      const peopleOf = async (of: { linkId: string } | { accountId: string }) =>
        (await store.readStatistics(of)).hours.map(({ people }) => people);
      expect(await peopleOf({ linkId: purged.id }), round).toEqual([]);
      expect(await peopleOf({ linkId: gone.id }), round).toEqual([]);
      expect(await peopleOf({ accountId: 'b' }), round).toEqual([]);
      expect(await peopleOf({ linkId: kept.id }), round).toEqual([3]);
      // The account keeps the visits of the link that it purged.
      expect(await peopleOf({ accountId: 'a' }), round).toEqual([5]);
    }
    await store.close();
    const snapshot = await readFile(join(folder, 'snapshot-000004.jsonl'), 'utf8');
    expect(snapshot).toContain('of-kept.example');
    expect(snapshot).not.toContain('of-gone.example');
  });

  test('are one line per visited link and account in a snapshot, readable as JSON', async () => {
    const folder = await newFolder();
    const store = await openFolder(folder);
    const link = await addLink(store, newLink('one'));
    await addLink(store, newLink('never-visited'));
    for (let round = 0; round < 3; round++) await store.addVisits([visits(link.id)]);
    await store.close();
    const snapshot = await compactFolder(folder, NOW);
    const statistics = snapshot
      .trimEnd()
      .split('\n')
      .flatMap((line) => JSON.parse(line).records ?? [])
      .filter(([kind]) => kind === 'history');
    const hours = [[HOUR / HOUR_MS, 3, 3, 0, 0]];
    const talliesOfDays = [[Math.floor(HOUR / HOUR_MS / 24), { [`6${link.id}`]: 3 }]];
    expect(statistics).toEqual([
      ['history', `link ${link.id}`, { hours }],
      ['history', 'account account-1', { hours, talliesOfDays }],
    ]);
    expect(snapshot).not.toContain('"visits"');
  });
});
