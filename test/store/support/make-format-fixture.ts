import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  FORMAT_VERSION,
  readGenerations,
} from '../../../server/store/json-file/files/generations.ts';
import { openJsonFileStore } from '../../../server/store/json-file/json-file-store.ts';
import { ManualTime } from '../../support/manual-time.ts';
import { NOW } from '../contract.ts';
import { compactFolder } from './compact-folder.ts';
import { describeStore, fillRound, ROUNDS } from './format-fixture.ts';

/**
 * Writes the fixture of the present format: a data folder, and beside it what a store has that opens it.
 * Run it, and `npm run format`, while the format changes before a release. The fixture of a released
 * format stays as it is.
 */
const fixtures = join(import.meta.dirname, '../../fixtures/formats');
const target = join(fixtures, String(FORMAT_VERSION));
const folder = await mkdtemp(join(tmpdir(), 'curt-format-'));
const options = {
  time: new ManualTime(NOW),
  onError: (error: unknown) => {
    throw error;
  },
};
for (const round of ROUNDS) {
  const store = await openJsonFileStore(folder, options);
  await store.secret();
  await fillRound(store, round);
  await store.close();
  if (round === ROUNDS[0]) await compactFolder(folder, NOW);
}
for (const name of [...readGenerations(folder).previous, 'lock']) await rm(join(folder, name));
await rm(target, { recursive: true, force: true });
await cp(folder, target, { recursive: true });

const store = await openJsonFileStore(folder, options);
const content = JSON.stringify(await describeStore(store), null, 2);
await store.close();
await rm(folder, { recursive: true });
await writeFile(`${target}.json`, `${content}\n`);
for (const name of await readdir(target)) {
  process.stdout.write(`${name} ${(await readFile(join(target, name))).length}\n`);
}
