import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The files in the folder are numbered by generation. `snapshot-000007.jsonl` is the complete state
 * when `journal-000007.jsonl` began; a journal contains every change until the next one begins. So the
 * current state is a snapshot plus all journals from its number on.
 */
export type Generations = {
  /** The newest snapshot's number; undefined before there is one. */
  snapshot: number | undefined;
  /** The numbers of the journals after it, in order. */
  journals: number[];
  /** Names of files that are no longer needed, in the order in which to remove them. */
  outdated: string[];
  /** Names of all files before the newest snapshot. */
  previous: string[];
  /** Names of temporary files, possibly left over from a crash. */
  unfinished: string[];
};

const NAME = /^(snapshot|journal)-(\d{6,})\.jsonl$/;
const TEMPORARY = /^(snapshot|journal)-\d{6,}\.jsonl\.tmp$/;

export function snapshotPath(folder: string, generation: number): string {
  return join(folder, fileName('snapshot', generation));
}

export function journalPath(folder: string, generation: number): string {
  return join(folder, fileName('journal', generation));
}

/**
 * A generation becomes outdated only when the next but one is complete, so that a copy of the folder,
 * which takes a while, still finds all the files that belonged together when it started.
 */
export function readGenerations(folder: string): Generations {
  const names = readdirSync(folder);
  const found = names.flatMap((name) => {
    const [, kind, digits] = NAME.exec(name) ?? [];
    return kind && digits ? [{ name, kind, generation: Number(digits) }] : [];
  });
  const numbersOf = (kind: string) =>
    found
      .filter((file) => file.kind === kind)
      .map(({ generation }) => generation)
      .sort((one, other) => one - other);
  const [before, snapshot] = [undefined, undefined, ...numbersOf('snapshot')].slice(-2);
  // A generation's snapshot comes first: as long as it exists, all files after it do, too.
  found.sort((a, b) => a.generation - b.generation || (a.kind === 'snapshot' ? -1 : 1));
  const namesBefore = (end: number | undefined) =>
    found.flatMap(({ name, generation }) => {
      return end !== undefined && generation < end ? [name] : [];
    });
  return {
    snapshot,
    journals: numbersOf('journal').filter((generation) => generation >= (snapshot ?? 0)),
    outdated: namesBefore(before),
    previous: namesBefore(snapshot),
    unfinished: names.filter((name) => TEMPORARY.test(name)),
  };
}

function fileName(kind: string, generation: number): string {
  return `${kind}-${String(generation).padStart(6, '0')}.jsonl`;
}
