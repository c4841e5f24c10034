import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { inspect } from './crash-inspect.ts';
import { crash } from './crash-rounds.ts';
import { Witness } from './crash-witness.ts';

/** `npm run test:crash -- --rounds 500`: a new folder every 50 rounds, so that rounds stay short. */
const ROUNDS_A_FOLDER = 50;
const { values } = parseArgs({ options: { rounds: { type: 'string', default: '500' } } });
const rounds = Number(values.rounds);
let folder = '';
let witness = new Witness();
for (let round = 1; round <= rounds; round++) {
  if (round % ROUNDS_A_FOLDER === 1) {
    if (folder) await rm(folder, { recursive: true });
    folder = await mkdtemp(join(tmpdir(), 'curt-crash-'));
    witness = new Witness();
  }
  const afterMs = round % 25 === 0 ? 4000 : 50 + Math.random() * 400;
  await crash(folder, witness, () => delay(afterMs));
  const wrong = await inspect(folder, witness);
  const { links, edited, passed, furtherTokens, erased, cutOff, appliedAnyway } = witness;
  process.stdout.write(
    `\r${round} of ${rounds} kills; in the folder ${links.size} links, ${edited} edits, ${passed} limited visits, ${furtherTokens.size} tokens, ${erased.length} erased, ${cutOff} cut off (in ${appliedAnyway} links some were applied) `,
  );
  if (wrong.length > 0) {
    process.stdout.write(`\n${wrong.join('\n')}\nThe folder is ${folder}\n`);
    process.exit(1);
  }
}
await rm(folder, { recursive: true });
process.stdout.write(
  '\nEvery acknowledged link, edit, visit and token was there, with every field.\n',
);
