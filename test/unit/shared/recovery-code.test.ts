import { describe, expect, test } from 'vitest';
import { formatRecoveryCode, parseRecoveryCode } from '../../../shared/accounts/recovery-code.ts';

const ORIGIN = 'https://curt.example:8443';
const TOKEN = `curt_${'aB3-_'.repeat(8)}xyz`;

test('a recovery code contains the server and the token', () => {
  const code = formatRecoveryCode(ORIGIN, TOKEN);
  expect(code).toBe(`curt:${ORIGIN}#${TOKEN}`);
  expect(parseRecoveryCode(code)).toEqual({ origin: ORIGIN, token: TOKEN });
});

describe('pasted text', () => {
  const code = formatRecoveryCode(ORIGIN, TOKEN);

  test.each([
    ['with space around it', ` ${code}\n`],
    ['broken into lines', `${code.slice(0, 30)}\n${code.slice(30, 60)}\r\n ${code.slice(60)}`],
    ['with its first word in capitals', code.replace('curt:', 'CURT:')],
    ['with a slash at the origin’s end', code.replace('#', '/#')],
  ])('is parsed %s', (_, text) => {
    expect(parseRecoveryCode(text)).toEqual({ origin: ORIGIN, token: TOKEN });
  });

  test('can be a token only', () => {
    expect(parseRecoveryCode(` ${TOKEN} `)).toEqual({ token: TOKEN });
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
    // Quotation marks and non-ASCII letters, which a header cannot contain.
    `“${TOKEN}”`,
    `curt:${ORIGIN}#сurt_${TOKEN}`,
  ])('is not a recovery code: %s', (text) => {
    expect(parseRecoveryCode(text)).toBeUndefined();
  });
});
