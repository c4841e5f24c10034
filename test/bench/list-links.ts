import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { openJsonFileStore } from '../../server/store/json-file/json-file-store.ts';
import type { LinkQuery } from '../../server/store/link.ts';
import { commonTag, RARE_TAG, RARE_WORD, word } from './described-links.ts';

/**
 * Lists the links of an account in the store of a folder and sends how long it took. Runs with
 * `--expose-gc` in a process of its own, so that nothing else blocks its event loop.
 */
const [folder = '', accountId = '', linksText = ''] = process.argv.slice(2);
const links = Number(linksText);
const PAGES = 300;
const RESOLUTION_MS = 5;

export type ListTimes = {
  what: string;
  /** The first list of this kind, which may have to build the index. */
  firstMs: number;
  timesMs: number[];
  stallMs: number;
};
export type ListReport = { lists: ListTimes[]; bytesPerLink: number; openMs: number };

const KINDS: [what: string, query: (page: number) => Partial<LinkQuery>][] = [
  ['without conditions', () => ({})],
  ['search for a frequent word', (page) => ({ search: word(page) })],
  ['search for a word in every 20,000th title', () => ({ search: RARE_WORD })],
  ['search for a word that no link has', (page) => ({ search: `quic${page}kjump` })],
  ['search for three letters that no link has', () => ({ search: 'iii' })],
  ['search for two letters that no link has', () => ({ search: 'ii' })],
  ['a frequent tag', (page) => ({ tag: commonTag(page % 200) })],
  ['a tag of every 20,000th link', () => ({ tag: RARE_TAG })],
];

const fail = (error: unknown) => {
  throw error;
};
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
const openedAt = performance.now();
const store = await openJsonFileStore(folder, { clock: Date.now, onError: fail });
const openMs = performance.now() - openedAt;
const before = usedBytes();
const created = (await store.listLinks(queryOf({ limit: 1 }))).links[0]?.created ?? 0;
const lists: ListTimes[] = [];
for (const [what, query] of KINDS) lists.push(await measure(what, query));
const bytesPerLink = (usedBytes() - before) / links;
await store.close();
process.send?.({ lists, bytesPerLink, openMs } satisfies ListReport);
process.disconnect();

async function measure(what: string, query: (page: number) => object): Promise<ListTimes> {
  await setTimeout(50);
  delay.enable();
  delay.reset();
  const timesMs: number[] = [];
  for (let page = 0; page < PAGES; page++) {
    // Half of the pages are the first ones of their lists.
    const after = page % 2 ? { created: created - ((page * 7919) % links), id: '~' } : null;
    const start = performance.now();
    await store.listLinks(queryOf({ after, ...query(page) }));
    timesMs.push(performance.now() - start);
  }
  await setTimeout(2 * RESOLUTION_MS);
  const stallMs = delay.max / 1e6 - RESOLUTION_MS;
  delay.disable();
  return { what, firstMs: timesMs[0] ?? 0, timesMs: timesMs.slice(1), stallMs };
}

function queryOf(query: Partial<LinkQuery>): LinkQuery {
  return { accountId, limit: 50, after: null, search: null, tag: null, ...query };
}

function usedBytes(): number {
  globalThis.gc?.();
  const { arrayBuffers, heapUsed } = process.memoryUsage();
  return arrayBuffers + heapUsed;
}
