import { expect, test } from 'vitest';
import { readGenerations } from '../../server/store/json-file/generations.ts';
import { inspect } from './support/crash-inspect.ts';
import { crash } from './support/crash-rounds.ts';
import { Witness } from './support/crash-witness.ts';
import { newFolder } from './support/folders.ts';

const ROUNDS = Number(process.env.CRASH_ROUNDS ?? 30);
/** Every so many rounds the server lives long enough for hits to be due. */
const LONG_ROUND = 10;

test(`keeps every acknowledged link, edit, account and count over ${ROUNDS} kills at any moment`, {
  tags: ['slow'],
  timeout: ROUNDS * 30_000,
}, async () => {
  const folder = await newFolder();
  const witness = new Witness();
  let killedDuringCompaction = 0;
  // A few more, should chance have hit no compaction.
  const isEnough = (round: number) => round > ROUNDS && killedDuringCompaction > 0;
  for (let round = 1; !isEnough(round) && round <= 3 * ROUNDS; round++) {
    const isLong = round % LONG_ROUND === 0;
    await crash(folder, witness, isLong ? 4000 : 50 + Math.random() * 400);
    // A journal that is no longer written waits for its snapshot.
    if (readGenerations(folder).journals.length > 1) killedDuringCompaction++;
    expect(await inspect(folder, witness)).toEqual([]);
  }
  expect(witness.links.size).toBeGreaterThan(ROUNDS);
  expect(killedDuringCompaction).toBeGreaterThan(0);
  expect(witness.edited).toBeGreaterThan(ROUNDS);
  expect(witness.cutOff).toBeGreaterThan(0);
  expect(witness.madeThough).toBeGreaterThan(0);
  expect(witness.replayedAfterEdit).toBeGreaterThan(0);
  const kept = [...witness.links.values()].reduce((sum, { visits }) => sum + visits.kept, 0);
  expect(kept).toBeGreaterThan(0);
});
