import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildApp } from '../../../../server/app.ts';
import { readSettings } from '../../../../server/config.ts';
import { isReserved } from '../../../../server/domains/short-domains.ts';
import { generateAliases, suggestAliases } from '../../../../server/links/aliases.ts';
import type { Store } from '../../../../server/store/store.ts';
import { openStore } from '../../../../server/store/tools/open.ts';
import { PAGE_SEGMENTS } from '../../../../server/web/views/assets.ts';
import { shortenRequestSchema } from '../../../../shared/links/shorten-request.ts';
import { NOW, newLink } from '../../../store/contract.ts';
import { ManualTime } from '../../../support/manual-time.ts';

const ALPHABET = '23456789abcdefghjkmnpqrstuvwxyz';

let folder: string;
let store: Store;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'curt-aliases-'));
  store = await openStore(`file:${folder}`, {
    time: new ManualTime(NOW),
    onError: (error) => {
      throw error;
    },
  });
});

afterAll(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});

describe('a generated alias', () => {
  test('has 7 lowercase characters that do not look alike', () => {
    const aliases = generateAliases(randomBytes);
    for (let i = 0; i < 1000; i++) {
      expect(aliases.next().value).toMatch(/^[23456789abcdefghjkmnpqrstuvwxyz]{7}$/);
    }
  });

  test('has a uniform distribution of characters', () => {
    const bytesPerCharacter = Math.floor(256 / ALPHABET.length);
    const drawn = [...Array(bytesPerCharacter * ALPHABET.length).keys()].map(aliasOfByte);
    for (const character of ALPHABET) {
      const times = drawn.filter((alias) => alias === character.repeat(7)).length;
      expect(times, character).toBe(bytesPerCharacter);
    }
  });

  test('ignores bytes above the last multiple of the alphabet', () => {
    const limit = 256 - (256 % ALPHABET.length);
    const surplus = [...Array(256 - limit).keys()].map((byte) => limit + byte);
    expect(surplus).not.toEqual([]);
    for (const byte of surplus) {
      expect(firstAlias([Buffer.alloc(7, byte), Buffer.alloc(7, 0)])).toBe('2222222');
      expect(firstAlias([Buffer.of(0, byte, 0, byte, 0, 0, 0), Buffer.alloc(7, 1)])).toBe(
        '2222233',
      );
    }
  });
});

describe('suggestions for a taken alias', () => {
  const anyAlias = fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/);

  test('are three valid, available aliases, regardless of which are taken', async () => {
    await fc.assert(
      fc.asyncProperty(anyAlias, fc.nat({ max: 6 }), async (taken, earlierCalls) => {
        await take(taken);
        for (let call = 0; call < earlierCalls; call++) {
          const [first = ''] = await suggestAliases(taken, isFree, randomBytes);
          await take(first);
        }
        const suggestions = await suggestAliases(taken, isFree, randomBytes);
        expect(suggestions).toHaveLength(3);
        for (const suggestion of suggestions) {
          expect(isValid(suggestion), suggestion).toBe(true);
          expect(isReserved(suggestion)).toBe(false);
          expect(await store.findLink(suggestion)).toBeUndefined();
        }
      }),
      { numRuns: 40 },
    );
  });

  test('are different even if random values repeat', async () => {
    for (const alias of ['busy', 'busy-2', 'busy-3', 'busy-4', 'busy-5']) await take(alias);
    const repeating = sequence([...Array(8).keys()].map((call) => Buffer.alloc(4, call >> 1)));
    const suggestions = await suggestAliases('busy', isFree, repeating);
    expect(suggestions).toEqual(['busy-2222', 'busy-3333', 'busy-4444']);
  });

  test('are similar to it and have at most 64 characters', async () => {
    expect(await suggestAliases('My-Page', isFree, randomBytes)).toEqual([
      'My-Page-2',
      'My-Page-3',
      'My-Page-4',
    ]);
    const longest = 'x'.repeat(64);
    const [first] = await suggestAliases(longest, isFree, randomBytes);
    expect(first).toBe(`${'x'.repeat(62)}-2`);
  });

  test('omit one that is taken in another case', async () => {
    await take('CASED-2');
    expect(await suggestAliases('cased', isFree, randomBytes)).toEqual([
      'cased-3',
      'cased-4',
      'cased-5',
    ]);
  });

  test('exist for a reserved word, too', async () => {
    expect(await suggestAliases('api', isFree, randomBytes)).toEqual(['api-2', 'api-3', 'api-4']);
  });
});

describe('reserved words', () => {
  test('are reserved regardless of case', () => {
    for (const word of ['api', 'API', 'Assets', 'dAshBoard'])
      expect(isReserved(word), word).toBe(true);
  });

  test('are whole words only', () => {
    for (const word of ['apis', 'my-api', 'api-2', '', 'constructor', 'login']) {
      expect(isReserved(word), word).toBe(false);
    }
  });

  test('include every first path segment of the server that would be a valid alias', async () => {
    const segments = await servedSegments();
    expect(segments).toEqual(expect.arrayContaining(['api', ...PAGE_SEGMENTS]));
    const free = segments.filter((segment) => isValid(segment) && !isReserved(segment));
    // Only what is below it is an API.
    expect(new Set(free)).toEqual(new Set(['rest']));
  });
});

/** First path segments of all routes, except those of aliases. */
async function servedSegments(): Promise<string[]> {
  const app = await buildApp({ settings: readSettings({ LOG_LEVEL: 'silent' }), store });
  await app.ready();
  // One route per line, those below the root with four spaces: `    ├── api/shorten (POST)`.
  const routes = app.printRoutes({ commonPrefix: false }).split('\n');
  await app.close();
  const segments = routes.flatMap((line) => /^ {4}\S── \/?([^/\s:*]+)/.exec(line)?.[1] ?? []);
  return [...new Set(segments)];
}

function isValid(alias: string): boolean {
  return shortenRequestSchema.shape.customAlias.safeParse(alias).success;
}

const isFree = (alias: string) => store.isAliasFree(alias);

async function take(alias: string): Promise<void> {
  await store.addLink(newLink(alias, { quota: 1_000_000 }));
}

function aliasOfByte(byte: number): string {
  return firstAlias([Buffer.alloc(7, byte)]);
}

function firstAlias(draws: Buffer[]): string {
  return generateAliases(sequence(draws)).next().value;
}

/** A deterministic source of random bytes that returns these values. */
function sequence(draws: Buffer[]) {
  const rest = [...draws];
  return () => {
    const next = rest.shift();
    if (!next) throw new Error('more bytes were drawn than expected');
    return next;
  };
}
