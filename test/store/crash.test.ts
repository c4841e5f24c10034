import { expect, test } from 'vitest';
import { readGenerations } from '../../server/store/json-file/files/generations.ts';
import { inspect } from './support/crash-inspect.ts';
import { crash } from './support/crash-rounds.ts';
import { Witness } from './support/crash-witness.ts';
import { newFolder } from './support/folders.ts';

const ROUNDS = Number(process.env.CRASH_ROUNDS ?? 30);
/** In every so many rounds, the server lives long enough to write hits. */
const LONG_ROUND = 10;

test(`loses no acknowledged link, edit, account, token or visit in ${ROUNDS} kills at random times`, {
  tags: ['slow'],
  timeout: ROUNDS * 30_000,
}, async () => {
  const folder = await newFolder();
  const witness = new Witness();
  let killedDuringCompaction = 0;
  // A few more rounds in case none of them interrupted a compaction.
  const isEnough = (round: number) => round > ROUNDS && killedDuringCompaction > 0;
  for (let round = 1; !isEnough(round) && round <= 3 * ROUNDS; round++) {
    const isLong = round % LONG_ROUND === 0;
    await crash(folder, witness, isLong ? 4000 : 50 + Math.random() * 400);
    // A second journal means that a compaction was running.
    if (readGenerations(folder).journals.length > 1) killedDuringCompaction++;
    expect(await inspect(folder, witness)).toEqual([]);
  }
  expect(witness.links.size).toBeGreaterThan(ROUNDS);
  expect(killedDuringCompaction).toBeGreaterThan(0);
  expect(witness.edited).toBeGreaterThan(ROUNDS);
  expect(witness.cutOff).toBeGreaterThan(0);
  expect(witness.appliedAnyway).toBeGreaterThan(0);
  expect(witness.passed).toBeGreaterThan(0);
  const tokens = new Set(witness.furtherTokens.values());
  expect(tokens).toEqual(new Set(['valid', 'revoked']));
  expect(witness.replayedAfterEdit).toBeGreaterThan(0);
  const hits = [...witness.links.values()].reduce((sum, { visits }) => sum + visits.durable, 0);
  expect(hits).toBeGreaterThan(0);
});
