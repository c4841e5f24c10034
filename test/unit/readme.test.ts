import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { RESERVED_ALIASES } from '../../server/links/aliases.ts';
import { ERROR_CODES } from '../../shared/errors.ts';
import { linkRecordSchema } from '../../shared/link-record.ts';
import { shortenRequestSchema } from '../../shared/shorten-request.ts';

const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8');

test.each(Object.entries(shortenRequestSchema.shape))(
  'the README describes the request field %s as its schema does',
  (name, schema) => {
    expect(readme).toMatch(new RegExp(`^\\| \`${name}\` \\| (string|number|boolean) \\| `, 'm'));
    expect(schema.description).toEqual(expect.any(String));
    expect(readme).toContain(` | ${schema.description} |\n`);
  },
);

test.each(Object.entries(linkRecordSchema.shape))(
  'the README describes the record field %s as its schema does',
  (name, schema) => {
    expect(readme).toContain(`| \`${name}\` | ${schema.description} |\n`);
  },
);

test('the README lists every reserved alias', () => {
  const words = RESERVED_ALIASES.map((word) => `\`${word}\``).join(', ');
  expect(readme).toContain(`Reserved are ${words}:`);
});

test('the README lists every error code that the API documents', () => {
  const visitOnly = ['wrong_password', 'link_gone', 'too_early'];
  for (const code of ERROR_CODES) {
    if (!visitOnly.includes(code))
      expect(readme).toMatch(new RegExp(`^\\| [345].*\`${code}\``, 'm'));
  }
});

test('the README lists every setting', async () => {
  const config = await readFile(new URL('../../server/config.ts', import.meta.url), 'utf8');
  const names = [...config.matchAll(/^ {2}([A-Z_]+):/gm)].map(([, name]) => name);
  expect(names.length).toBeGreaterThan(10);
  for (const name of names) expect(readme).toContain(`\`${name}\``);
});
