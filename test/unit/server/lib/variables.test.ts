import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readSettings } from '../../../../server/config.ts';
import { readVariables } from '../../../../server/lib/settings.ts';

const TOKEN = 't'.repeat(32);

describe('a variable is read without', () => {
  test.each([
    ['a carriage return', 'file:/data\r', 'file:/data'],
    ['white space', ' \tfile:/data \n', 'file:/data'],
    ['a no-break space', '\u{a0}file:/data\u{a0}', 'file:/data'],
    ['a byte order mark', '\u{feff}file:/data', 'file:/data'],
    ['a zero-width space', 'file:/data\u{200b}', 'file:/data'],
    ['double quotes around it', '"file:/data"', 'file:/data'],
    ['single quotes around it', "'file:/data'", 'file:/data'],
    ['the quotes of a word processor', '“file:/data”', 'file:/data'],
    ['quotes and what is around them', ' "file:/data"\r', 'file:/data'],
    ['white space within quotes', '" file:/data "', 'file:/data'],
  ])('%s', (_, value, expected) => {
    expect(readVariables({ STORE_URL: value }, [])).toEqual({ STORE_URL: expected });
  });

  test.each(['', ' ', '\r', '""', "' '", '\u{feff}'])(
    'anything, as if it were unset: %j',
    (value) => {
      expect(readVariables({ STORE_URL: value }, [])).toEqual({});
    },
  );

  test.each(['"a', 'b"', '"', `'a"`, 'a "b" c'])('other quotes removed: %s', (value) => {
    expect(readVariables({ BRAND_NAME: value }, [])).toEqual({ BRAND_NAME: value });
  });

  test('its quotes, unless Node.js reads it with them', () => {
    expect(() => readSettings({ UV_THREADPOOL_SIZE: '"8"' })).toThrow(
      'UV_THREADPOOL_SIZE must be a whole number from 1 to 1024, not ""8"".',
    );
  });
});

describe('a secret can be in a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'curt-variables-'));
  let files = 0;
  const fileWith = (content: string | Buffer) => {
    const path = join(folder, `${++files}`);
    writeFileSync(path, content);
    return path;
  };

  test.each([
    ['ADMIN_TOKEN', TOKEN, 'adminToken'],
    ['SECRET', TOKEN, 'secret'],
    ['STORE_URL', 'postgres://curt:p@db/curt', 'storeUrl'],
  ])('%s_FILE, with a line feed at its end', (name, value, field) => {
    const settings = readSettings({ [`${name}_FILE`]: fileWith(`${value}\n`) });
    expect(settings).toHaveProperty(field, value);
  });

  test('STORE_READ_URL_FILE', () => {
    const settings = readSettings({
      STORE_URL: 'postgres://a/curt',
      STORE_READ_URL_FILE: fileWith('\u{feff}"postgres://b/curt"\r\n'),
    });
    expect(settings.storeReadUrl).toBe('postgres://b/curt');
  });

  test('which is invalid, without printing its value', () => {
    const short = 'a-token-that-is-too-short';
    const read = () => readSettings({ ADMIN_TOKEN_FILE: fileWith(short) });
    expect(read).toThrow('ADMIN_TOKEN must be at least 32 visible ASCII characters.');
    expect(read).not.toThrow(short);
  });

  test('which does not exist, is empty, or is a folder', () => {
    const missing = join(folder, 'missing');
    const empty = fileWith('\n');
    const env = { ADMIN_TOKEN_FILE: missing, SECRET_FILE: empty, STORE_URL_FILE: folder };
    expect(() => readSettings(env)).toThrow(
      `ADMIN_TOKEN_FILE names ${missing}, which does not exist.\nSECRET_FILE names ${empty}, which is empty.\nSTORE_URL_FILE names ${folder}, which cannot be read (EISDIR).`,
    );
  });

  test('but not in a file and in its variable', () => {
    const env = { ADMIN_TOKEN: TOKEN, ADMIN_TOKEN_FILE: fileWith(TOKEN) };
    expect(() => readSettings(env)).toThrow(
      'ADMIN_TOKEN_FILE and ADMIN_TOKEN are both set. Unset one of them.',
    );
  });
});

test('METRICS_PORT of Kubernetes gets a message that says where it comes from', () => {
  expect(() => readSettings({ METRICS_PORT: 'tcp://10.96.12.4:9090' })).toThrow(
    'Set enableServiceLinks to false in the pod',
  );
});
