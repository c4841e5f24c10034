import { getHeapStatistics } from 'node:v8';
import { expect, onTestFinished, test } from 'vitest';
import { HeapWatch } from '../../../../server/limits/heap-watch.ts';

const MEBIBYTE = 1024 * 1024;
const EVERY_MS = 30_000;
/** Nothing in it is garbage. */
const HELD: unknown[] = [];

function heapBytes(): number {
  return getHeapStatistics().used_heap_size;
}

/** A watch whose limit leaves so much room over what is in use now. */
async function watch(roomBytes: number) {
  let now = 0;
  const warnings: string[] = [];
  const open = (limitBytes: number) => {
    const memory = new HeapWatch({
      limitBytes,
      clock: () => now,
      onWarning: (message) => warnings.push(message),
    });
    onTestFinished(() => memory.close());
    return memory;
  };
  const first = open(Number.MAX_SAFE_INTEGER);
  await first.collect();
  // 85 % of the limit is what is in use and the room.
  const memory = open((first.usedBytes + roomBytes) / 0.85);
  const later = () => {
    now += EVERY_MS;
  };
  return { memory, warnings, later };
}

/** Holds objects of so many MiB. */
function fill(mebibytes: number): void {
  for (let index = 0; index < mebibytes * 1024; index++) HELD.push(new Array(127).fill(index));
}

test('memory is full if what is in use has 85 % of the limit, and warns once', async () => {
  const { memory, warnings } = await watch(-5 * MEBIBYTE);
  await memory.collect();
  expect(memory.isFull).toBe(true);
  await memory.collect();
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).toContain('store_full');
});

test('garbage does not make memory full', async () => {
  const { memory } = await watch(40 * MEBIBYTE);
  await memory.collect();
  fill(80);
  HELD.length = 0;
  expect(heapBytes()).toBeGreaterThan(0.85 * memory.limitBytes);
  expect(memory.isFull).toBe(false);
});

test('memory is free again, at most 30 seconds after its objects are gone', async () => {
  const { memory, later } = await watch(40 * MEBIBYTE);
  fill(80);
  await memory.collect();
  expect(memory.isFull).toBe(true);
  HELD.length = 0;
  later();
  await expect.poll(() => memory.isFull).toBe(false);
});

test('there is room for what is used briefly up to 95 % of the limit', async () => {
  const { memory } = await watch(100 * MEBIBYTE);
  await memory.collect();
  const roomBytes = 0.95 * memory.limitBytes - memory.usedBytes;
  expect(memory.hasRoomFor(0.5 * roomBytes)).toBe(true);
  expect(memory.hasRoomFor(1.5 * roomBytes)).toBe(false);
});

test('a warning comes at 70 %, and again only after less was in use', async () => {
  const { memory, warnings } = await watch(100_000 * MEBIBYTE);
  await memory.collect();
  expect(warnings).toEqual([]);
  const other = await watch(MEBIBYTE);
  await other.memory.collect();
  await other.memory.collect();
  expect(other.warnings).toHaveLength(1);
  expect(other.warnings[0]).toContain('of memory are in use');
});
