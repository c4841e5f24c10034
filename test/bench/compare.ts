import { type Load, load, type Requests } from './load/wrk.ts';
import type { Server } from './servers.ts';

/** Of wrk to one server. */
export const CONNECTIONS = 64;
const WARM_UP_SECONDS = 1;

export type Side = { server: Server; requests: Requests };
export type Plan = { rounds: number; seconds: number };

export type Comparison = {
  /** Reference CPU per request / Curt CPU per request: above 1, Curt is cheaper. Median of the rounds. */
  ratio: number;
  /** Interquartile range of the rounds' ratios / their median. */
  spread: number;
  curt: Measured;
  reference: Measured;
};

/** Medians of the rounds. */
export type Measured = { cpuMicroseconds: number; perSecond: number; p99Ms: number };

/**
 * Loads the two servers alternately in short slices, so that other activity of the machine affects both
 * equally.
 */
export async function compare(
  curt: Side,
  reference: Side,
  { rounds, seconds }: Plan,
): Promise<Comparison> {
  for (const side of [curt, reference]) await slice(side, WARM_UP_SECONDS);
  const pairs: [Measured, Measured][] = [];
  for (let round = 0; round < rounds; round++) {
    const one = await slice(curt, seconds);
    pairs.push([one, await slice(reference, seconds)]);
  }
  const ratios = pairs.map(([ours, theirs]) => theirs.cpuMicroseconds / ours.cpuMicroseconds);
  return {
    ratio: quantile(ratios, 0.5),
    spread: (quantile(ratios, 0.75) - quantile(ratios, 0.25)) / quantile(ratios, 0.5),
    curt: medians(pairs.map(([ours]) => ours)),
    reference: medians(pairs.map(([, theirs]) => theirs)),
  };
}

async function slice({ server, requests }: Side, seconds: number): Promise<Measured> {
  const before = server.cpuMicroseconds;
  const loaded = await load(server.baseUrl, requests, {
    seconds,
    connections: CONNECTIONS,
  });
  const cpuMicroseconds = (server.cpuMicroseconds - before) / loaded.answers;
  checkStatuses(loaded);
  return { cpuMicroseconds, perSecond: loaded.answers / loaded.seconds, p99Ms: loaded.p99Ms };
}

/** Checks the responses, because a wrong response may be fast. */
function checkStatuses({ answers, errorStatuses }: Load): void {
  if (errorStatuses <= answers * 0.001) return;
  throw new Error(`${errorStatuses} of ${answers} responses have a status of 400 or above`);
}

function medians(all: Measured[]): Measured {
  const median = (key: keyof Measured) =>
    quantile(
      all.map((one) => one[key]),
      0.5,
    );
  return {
    cpuMicroseconds: median('cpuMicroseconds'),
    perSecond: median('perSecond'),
    p99Ms: median('p99Ms'),
  };
}

/** By linear interpolation. */
export function quantile(values: number[], q: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  const position = (sorted.length - 1) * q;
  const low = sorted[Math.floor(position)] ?? Number.NaN;
  const high = sorted[Math.ceil(position)] ?? Number.NaN;
  return low + (high - low) * (position - Math.floor(position));
}
