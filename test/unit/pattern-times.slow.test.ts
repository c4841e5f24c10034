import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createContext, Script } from 'node:vm';
import { parseSync } from 'vite';
import { expect, test, vi } from 'vitest';
import { selectCanonical } from '../../extension/urls/canonical-url.ts';
import { findSecrets } from '../../extension/urls/find-secrets.ts';
import { isSafePasswordHash } from '../../server/accounts/passwords.ts';
import { BrandError, toBrandLogo } from '../../server/domains/brand.ts';
import { displayHost, normalizeHost, parseAuthority } from '../../server/lib/host-name.ts';
import { readVariables } from '../../server/lib/settings.ts';
import { readCount, readTime, splitShortUrl } from '../../server/links/transfer/meaning/cells.ts';
import { splitList } from '../../server/links/transfer/meaning/field-values.ts';
import { parseConnectionUrl } from '../../server/store/postgres/database/connection-url.ts';
import { StoreOpenError } from '../../server/store/store.ts';
import { UserAgent } from '../../server/visits/user-agent.ts';
import { parseTokenText } from '../../shared/accounts/token-text.ts';
import { ADDRESS_PATTERN, ALIAS_PATTERN } from '../../shared/bounds.ts';
import { escapeFormula } from '../../shared/csv.ts';
import { preferredLanguage } from '../../shared/links/choose-target.ts';
import { joinLines } from '../../shared/links/join-lines.ts';
import { parseTarget } from '../../shared/links/original-url.ts';
import { readableUrl } from '../../shared/links/readable-url.ts';
import { stripTracking } from '../../shared/links/strip-tracking.ts';
import { fitLine } from '../../shared/links/truncate.ts';
import { unwrapUrl } from '../../shared/links/unwrap-url.ts';
import { findUrl, readTypedUrl, shownUrl } from '../../shared/links/url-in-text.ts';
import { foldSearched, foldTag, trimText } from '../../shared/text.ts';

const ROOT = join(import.meta.dirname, '../..');

/** More than any text from outside has that is not cut before. */
const LENGTH = 100_000;
/** A linear pattern takes a few milliseconds, one that is quadratic seconds, and others forever. */
const GUARD_MS = 400;
/** What takes longer than the guard with squares of the length takes 16 ms with a fifth of it. */
const SHORT_LENGTH = LENGTH / 5;
const SHORT_MS = 10;

/** Runs only while Curt is built. */
const BUILDING = /vite\.config\.ts$/;
const PlainRegExp = RegExp;

/** Patterns that take longer, with the reason why nobody outside can make use of it. */
const ALLOWED = new Map([
  [String.raw`\/(shared|extension)\/[^?]*\.ts$`, 'reads our own paths'],
  [String.raw`\.__html\b[^;]*\.innerHTML\s*=`, 'reads our own packages'],
  [String.raw`<title>.*<\/title>`, 'reads our own page'],
  ['<link rel="icon"[^>]*>', 'reads our own page'],
  [String.raw`--color-([\w-]+): (#[\da-f]{6});`, 'reads our own styles'],
]);

const CHARACTERS = [...' \t\n"/.-:@#%=?&,;0aA', '""', '//', 'a.', '1.', 'a-'];
/** With the second one, what is repeated is not at the end of the text or of a line. */
const ENDS = ['', '\0\n\0'];
/** What is repeated is at neither end: `^a+|a+$` takes all of it at once at the start. */
const inside = (text: string) => `\0${text}${ENDS[1]}`;

test('no pattern in the source takes more than linear time, whatever the text', async () => {
  const patterns = [...readPatterns(), ...(await makePatterns())];
  const sources = patterns.map(({ source }) => source);
  expect([...ALLOWED.keys()].filter((each) => !sources.includes(each))).toEqual([]);
  const checked = patterns.filter(({ source }) => !ALLOWED.has(source));
  expect(checked.filter((pattern) => isSlow(pattern)).map(String)).toEqual([]);
});

test.each([
  String.raw`\s+$`,
  String.raw`^\/+|\/+$`,
  '^(a+)+$',
  String.raw`"(?:[^"]|"")*"\r\n`,
  String.raw`^(<!--[\s\S]*?-->\s*)*<svg`,
  String.raw`\beyJ[\w-]{8,}\.`,
])('%s is recognized as slow', (source) => {
  expect(isSlow(new RegExp(source))).toBe(true);
});

/** All literals with a repetition. */
function readPatterns(): RegExp[] {
  const patterns = new Map<string, RegExp>();
  const collect = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { regex } = node as { regex?: { pattern: string; flags: string } };
    if (regex && /[*+]|\{\d+,/.test(regex.pattern)) {
      patterns.set(`${regex.pattern} ${regex.flags}`, new RegExp(regex.pattern, regex.flags));
    }
    Object.values(node).forEach(collect);
  };
  for (const path of globSync('{server,shared,extension}/**/*.{ts,tsx,js}', { cwd: ROOT })) {
    collect(parseSync(path, readFileSync(join(ROOT, path), 'utf8')).program);
  }
  expect(patterns.size).toBeGreaterThan(100);
  return [...patterns.values()];
}

/** Those that files make of parts. */
async function makePatterns(): Promise<RegExp[]> {
  const made: RegExp[] = [];
  const files = globSync('{server,shared,extension}/**/*.{ts,tsx}', { cwd: ROOT })
    .filter((path) => !BUILDING.test(path))
    .filter((path) => readFileSync(join(ROOT, path), 'utf8').includes('new RegExp('));
  class Recorded extends RegExp {
    constructor(...[pattern, flags]: ConstructorParameters<typeof RegExp>) {
      super(pattern, flags);
      made.push(new PlainRegExp(this.source, this.flags));
    }
  }
  vi.resetModules();
  vi.stubGlobal('RegExp', Recorded);
  try {
    for (const path of files) await import(join(ROOT, path));
  } finally {
    vi.unstubAllGlobals();
  }
  const sources = made.map(({ source }) => source);
  expect(sources).toEqual(expect.arrayContaining([ALIAS_PATTERN.source, ADDRESS_PATTERN.source]));
  return made;
}

function isSlow(pattern: RegExp): boolean {
  const begins = piecesOf(pattern);
  const repeated = [...CHARACTERS, ...begins, ...pairs(begins)];
  const repeat = (part: string, length: number) => part.repeat(Math.ceil(length / part.length));
  const texts = repeated.flatMap((part) => [
    ...['', ...begins.slice(0, 1)].flatMap((start) =>
      ENDS.map((end) => (length: number) => start + repeat(part, length) + end),
    ),
    (length: number) => inside(repeat(part, length)),
  ]);
  return findSuspects(pattern, texts).some((textOf) => takesLong(pattern, textOf(LENGTH)));
}

type TextOf = (length: number) => string;

const context = createContext({ performance, SHORT_MS });
/** All at once, because starting a script with a time limit takes longer than a linear pattern. */
const useEach = new Script(`texts.map((text) => {
  const start = performance.now();
  if (pattern.global) text.replace(pattern, '');
  else text.search(pattern);
  return performance.now() - start > SHORT_MS;
})`);
const use = new Script(`pattern.global ? text.replace(pattern, '') : text.search(pattern)`);

/** Those that take long although they are short, or all if that takes forever. */
function findSuspects(pattern: RegExp, texts: TextOf[]): TextOf[] {
  const short = texts.map((textOf) => textOf(SHORT_LENGTH));
  const isSuspect = runIn({ pattern, texts: short }, useEach) as boolean[] | undefined;
  return isSuspect ? texts.filter((_, index) => isSuspect[index]) : texts;
}

function takesLong(pattern: RegExp, text: string): boolean {
  return runIn({ pattern, text }, use) === undefined;
}

/** @returns undefined if it takes longer than the guard */
function runIn(names: object, script: Script, timeout = GUARD_MS): unknown {
  Object.assign(context, names);
  const start = process.threadCpuUsage();
  try {
    return script.runInContext(context, { timeout });
  } catch (error) {
    expect((error as { code?: string }).code).toBe('ERR_SCRIPT_EXECUTION_TIMEOUT');
    // On a busy machine, most of that time may be the time of others.
    return usedMs(start) > GUARD_MS / 4 ? undefined : runIn(names, script, 2 * timeout);
  }
}

/** @returns milliseconds of processor time */
function usedMs(start: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1000;
}

/** Texts that match a part of the pattern. */
function piecesOf({ source }: RegExp): string[] {
  const plain = source
    .replaceAll(/\[\^[^\]]*\]/g, 'x')
    .replaceAll(/\[(?:\\.|[^\]])[^\]]*\]/g, '0')
    .replaceAll(/\{\d+,?\d*\}/g, '+')
    .replaceAll(/\\[bB]|\\p\{\w+\}/g, '')
    .replaceAll(/\\[wd]/g, '0')
    .replaceAll(/\\s/g, ' ')
    .replaceAll(/\\r/g, '\r')
    .replaceAll(/\\n/g, '\n')
    .replaceAll(/\(\?<?[:!=]?/g, '(');
  const pieces = plain.split(/(?<!\\)[()|*+?^$]+/).map((each) => each.replaceAll('\\', ''));
  return [...new Set(pieces.filter((each) => each !== ''))].slice(0, 12);
}

/** What a repeated group may consist of. */
function pairs(pieces: string[]): string[] {
  return pieces.flatMap((piece, index) => {
    const next = pieces[index + 1];
    return [`${piece}00000000`, `${piece}-`, ...(next === undefined ? [] : [piece + next])];
  });
}

const FUNCTIONS: Record<string, (text: string) => unknown> = {
  findSecrets,
  'findSecrets, of a URL': (text) => findSecrets(`https://example.com/${text}`),
  findUrl,
  stripTracking: (text) => stripTracking(`https://example.com/?${text}`),
  readTypedUrl,
  'readTypedUrl, of a URL': (text) => readTypedUrl(`(https://example.com/${text}`),
  shownUrl: (text) => shownUrl(`about:reader?${text}`),
  joinLines,
  trimText,
  foldTag,
  foldSearched,
  unwrapUrl: (text) => unwrapUrl(`https://urldefense.com/v3/__https://x.example/${text}__;AAAA!`),
  parseTarget,
  readableUrl: (text) => readableUrl(`https://example.com/${text}`),
  fitLine: (text) => fitLine(text, 200),
  selectCanonical: (text) =>
    selectCanonical(`https://example.com/${text}`, {
      ...{ canonical: [`https://example.com/${text}`], openGraph: [text], shortlink: [text] },
      loadedFrom: `https://example.com/${text}`,
    }),
  toBrandLogo: (text) => toBrandLogo(Buffer.from(text)),
  'toBrandLogo, of the start of a picture': (text) => toBrandLogo(Buffer.from(`<?xml?>${text}`)),
  'the cells of a list': splitList,
  isSafePasswordHash: (text) => isSafePasswordHash(`$argon2id$v=19$m=8,t=1,p=1$${text}`),
  splitShortUrl,
  readCount,
  readTime: (text: string) => readTime(text, null),
  displayHost: (text) => displayHost(`xn--${text}`),
  parseAuthority,
  normalizeHost,
  'UserAgent.of': UserAgent.of,
  preferredLanguage: (text) => preferredLanguage(text, ['en', 'de']),
  escapeFormula,
  parseTokenText,
  parseConnectionUrl: (text) => parseConnectionUrl(`postgres://${text}`),
  'parseConnectionUrl, of parameters': (text) => parseConnectionUrl(`postgres://h/d?${text}`),
  readVariables: (text) => readVariables({ BASE_URL: text }, []),
};
const PARTS = [
  ...CHARACTERS,
  '<!-- -->',
  '<!---->',
  '<?xml',
  'eyJ',
  'eyJaaaaaaaa-',
  'eyJaaaaaaaa.',
];
const MORE_PARTS = [
  'https://',
  'a=eyJ&',
  '%C3',
  '&a=',
  'xn--',
  '\\|',
  'sid=',
  ';sid=',
  '-password',
  '\u200b',
  ',https://',
  'ttp:/',
  '(',
  '*',
  '](',
  'é',
];

test.each(Object.keys(FUNCTIONS))('%s takes at most linear time, whatever the text', (name) => {
  const slow = [...PARTS, ...MORE_PARTS].filter((part) => {
    const isSlowWith = (length: number, guardMs: number) => {
      const text = part.repeat(Math.ceil(length / part.length));
      return [...ENDS.map((end) => text + end), inside(text)].some(
        (each) => Math.min(...times(() => FUNCTIONS[name]?.(each), guardMs)) > guardMs,
      );
    };
    return isSlowWith(SHORT_LENGTH, SHORT_MS) && isSlowWith(LENGTH, GUARD_MS);
  });
  expect(slow).toEqual([]);
});

/** Processor time of one call in milliseconds, or of three if it takes long. */
function* times(use: () => unknown, guardMs: number): Generator<number> {
  for (let attempt = 0; attempt < 3; attempt++) {
    const start = process.threadCpuUsage();
    try {
      use();
    } catch (error) {
      expect([BrandError, StoreOpenError].some((kind) => error instanceof kind)).toBe(true);
    }
    const took = usedMs(start);
    yield took;
    if (took <= guardMs) return;
  }
}
