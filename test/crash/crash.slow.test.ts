import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { isCompacting } from '../store/support/folders.ts';
import { newFolder } from '../support/new-folder.ts';
import { inspect } from './crash-inspect.ts';
import { crash } from './crash-rounds.ts';
import { Witness } from './crash-witness.ts';

const ROUNDS = Number(process.env.CRASH_ROUNDS ?? 15);
/** In every so many rounds, the server lives long enough to write hits. */
const LONG_ROUND = 7;
const LONG_MS = 2800;
/** In every so many rounds, the server is killed as soon as it writes a snapshot. */
const COMPACTION_ROUND = 4;
const COMPACTION_MAX_MS = 10_000;

test(`loses no acknowledged link, edit, account, token or visit in ${ROUNDS} kills`, {
  timeout: ROUNDS * 30_000,
}, async () => {
  const folder = await newFolder();
  const witness = new Witness();
  let killedDuringCompaction = 0;
  const tokensThatAre = (state: string) =>
    [...witness.furtherTokens.values()].filter((each) => each === state).length;
  const seen = () => ({
    killedDuringCompaction,
    cutOff: witness.cutOff,
    appliedAnyway: witness.appliedAnyway,
    replayedAfterEdit: witness.replayedAfterEdit,
    links: Math.max(0, witness.links.size - ROUNDS),
    edited: Math.max(0, witness.edited - ROUNDS),
    passed: witness.passed,
    validTokens: tokensThatAre('valid'),
    revokedTokens: tokensThatAre('revoked'),
    erased: witness.erased.filter(({ isSure }) => isSure).length,
    durableHits: [...witness.links.values()].reduce((sum, { visits }) => sum + visits.durable, 0),
  });
  // More rounds if chance has left something out.
  const isEnough = (round: number) => round > ROUNDS && !Object.values(seen()).includes(0);
  for (let round = 1; !isEnough(round) && round <= 3 * ROUNDS; round++) {
    await crash(folder, witness, () => dueIn(round, folder));
    if (isCompacting(folder)) killedDuringCompaction++;
    expect(await inspect(folder, witness)).toEqual([]);
  }
  expect(Object.entries(seen()).filter(([, count]) => count === 0)).toEqual([]);
});

async function dueIn(round: number, folder: string): Promise<void> {
  if (round % LONG_ROUND === 0) return delay(LONG_MS);
  if (round % COMPACTION_ROUND !== 0) return delay(50 + Math.random() * 400);
  const latest = performance.now() + COMPACTION_MAX_MS;
  while (!isCompacting(folder) && performance.now() < latest) await delay(1);
}
