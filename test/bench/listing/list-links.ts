import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setImmediate } from 'node:timers/promises';
import { openJsonFileStore } from '../../../server/store/json-file/json-file-store.ts';
import type { LinkPageQuery } from '../../../server/store/link-calls.ts';
import { commonTag, RARE_TAG, RARE_WORD, word } from './described-links.ts';

/**
 * Lists the links of an account in the store of a folder, and sends a report. Runs with `--expose-gc` in
 * a process of its own, so that nothing else blocks its event loop.
 */
const [folder = '', accountId = '', linksText = ''] = process.argv.slice(2);
const links = Number(linksText);
const PAGES = 200;
const MAX_MS = 20_000;
const RESOLUTION_MS = 1;
/** As long as the slices in which lists are read. */
const SLICE_MS = 5;
const IDLE_SLICES = 400;
/** From here on, words have more syllables than those of links. */
const UNUSED_WORDS = 8000;

export type ListTimes = { what: string; firstMs: number; timesMs: number[]; stallMs: number };

export type ListReport = {
  lists: ListTimes[];
  /** Of a loop that only keeps the processor busy for slices of the same length. */
  idleStallMs: number;
  bytesPerLink: number;
};

/** The conditions of each page. */
const KINDS: [what: string, query: (page: number) => Partial<LinkPageQuery>][] = [
  ['no conditions', () => ({})],
  ['search, a frequent word', (page) => ({ search: word(page) })],
  ['search, a word of 50 in a million', () => ({ search: RARE_WORD })],
  ['search, a word that no link has', (page) => ({ search: word(UNUSED_WORDS + page) })],
  ['search, three letters of 170 in a million', () => ({ search: 'qjx' })],
  ['search, two letters that no link has', () => ({ search: 'ii' })],
  ['a frequent tag', (page) => ({ tag: commonTag(page % 200) })],
  ['a tag of 50 links in a million', () => ({ tag: RARE_TAG })],
];

const fail = (error: unknown) => {
  throw error;
};
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
const store = await openJsonFileStore(folder, { onError: fail });
const before = usedBytes();
const idleStallMs = await stallOf(keepBusy);
let newest = 0;
const lists: ListTimes[] = [];
for (const [what, query] of KINDS) lists.push(await measure(what, query));
const bytesPerLink = (usedBytes() - before) / links;
await store.close();
process.send?.({ lists, idleStallMs, bytesPerLink } satisfies ListReport);
process.disconnect?.();

async function measure(
  what: string,
  query: (page: number) => Partial<LinkPageQuery>,
): Promise<ListTimes> {
  const timesMs: number[] = [];
  const stallMs = await stallOf(async () => {
    const end = performance.now() + MAX_MS;
    for (let page = 0; page < PAGES && performance.now() < end; page++) {
      // Half of the pages are the first ones of their lists.
      const after = page % 2 ? { created: newest - ((page * 7919) % links), id: '~' } : null;
      const start = performance.now();
      const list = await store.listLinks({
        ...{ accountId, limit: 50, search: null, tag: null, after },
        ...query(page),
      });
      timesMs.push(performance.now() - start);
      newest ||= list.links[0]?.created ?? 0;
    }
  });
  return { what, firstMs: timesMs[0] ?? 0, timesMs: timesMs.slice(1), stallMs };
}

async function keepBusy(): Promise<void> {
  for (let slice = 0; slice < IDLE_SLICES; slice++) {
    const end = performance.now() + SLICE_MS;
    while (performance.now() < end);
    await setImmediate();
  }
}

async function stallOf(work: () => Promise<void>): Promise<number> {
  delay.enable();
  await setImmediate();
  delay.reset();
  await work();
  await setImmediate();
  delay.disable();
  return delay.max / 1e6;
}

function usedBytes(): number {
  globalThis.gc?.();
  const { arrayBuffers, heapUsed } = process.memoryUsage();
  return arrayBuffers + heapUsed;
}
