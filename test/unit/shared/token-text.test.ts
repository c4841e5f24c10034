import { describe, expect, test } from 'vitest';
import { codeOf, formatTokenText, parseTokenText } from '../../../shared/accounts/token-text.ts';

const ORIGIN = 'https://curt.example:8443';
const TOKEN = `curt_${'aB3-_'.repeat(8)}xyz`;

test('a copied token names its server', () => {
  const text = formatTokenText(ORIGIN, TOKEN);
  expect(text).toBe(`curt:${ORIGIN}#${TOKEN}`);
  expect(parseTokenText(text)).toEqual({ origin: ORIGIN, token: TOKEN });
});

describe('pasted text', () => {
  const copied = formatTokenText(ORIGIN, TOKEN);

  test.each([
    ['with space around it', ` ${copied}\n`],
    [
      'broken into lines',
      `${copied.slice(0, 30)}\n${copied.slice(30, 60)}\r\n ${copied.slice(60)}`,
    ],
    ['with its first word in capitals', copied.replace('curt:', 'CURT:')],
    ['with a slash at the origin’s end', copied.replace('#', '/#')],
    ['as the dashboard’s address', `${ORIGIN}/dashboard#${TOKEN}`],
    ['as the dashboard’s address, broken into lines', `${ORIGIN}/dashboard/\n#${TOKEN}\n`],
  ])('is parsed %s', (_, text) => {
    expect(parseTokenText(text)).toEqual({ origin: ORIGIN, token: TOKEN });
  });

  test('can be the dashboard’s address with a code', () => {
    const code = 'MDEyMzQ1Njc4OWFiY2RlZg';
    const read = parseTokenText(`${ORIGIN}/dashboard#code=${code}`);
    expect(read?.origin).toBe(ORIGIN);
    expect(codeOf(read?.token ?? '')).toBe(code);
    expect(codeOf(TOKEN)).toBeUndefined();
  });

  test('can be a token only', () => {
    expect(parseTokenText(` ${TOKEN} `)).toEqual({ token: TOKEN });
  });

  test.each([
    '',
    'short',
    'two words',
    'curt:',
    `curt:${ORIGIN}`,
    `curt:${ORIGIN}#`,
    `curt:#${TOKEN}`,
    `curt:ftp://curt.example#${TOKEN}`,
    `curt:https://me:secret@curt.example#${TOKEN}`,
    `${ORIGIN}#${TOKEN}`,
    `${ORIGIN}/dashboard#links`,
    `${ORIGIN}/another/page#${TOKEN}`,
    // Quotation marks and non-ASCII letters, which a header cannot contain.
    `“${TOKEN}”`,
    `curt:${ORIGIN}#сurt_${TOKEN}`,
  ])('is not a token: %s', (text) => {
    expect(parseTokenText(text)).toBeUndefined();
  });
});
