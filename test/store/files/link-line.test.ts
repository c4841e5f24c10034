import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toLine } from '../../../server/store/json-file/files/checked-line.ts';
import { readLinkLine } from '../../../server/store/json-file/files/link-line.ts';
import { type LinkJson, toLinkJson } from '../../../server/store/records/link-json.ts';
import { NOW, newLink } from '../contract.ts';

const text = fc.string({ unit: 'grapheme', maxLength: 40 });
const name = fc.stringMatching(/^[A-Za-z0-9_-]{1,16}$/);
const anything = fc.oneof(text, fc.constantFrom('","created":1', '"', '\\', '東京', 'a\\"b'));
const link: fc.Arbitrary<LinkJson> = fc
  .record(
    {
      id: name,
      alias: name,
      accountId: name,
      originalUrl: anything,
      created: fc.nat(),
      furtherAliases: fc.array(name, { maxLength: 2 }),
      title: anything,
      tags: fc.array(text, { maxLength: 2 }),
      deletedAt: fc.option(fc.nat()),
      hits: fc.nat(),
      importKey: fc.option(name),
    },
    { requiredKeys: ['id', 'alias', 'accountId', 'originalUrl', 'created'] },
  )
  .map((fields) => toLinkJson({ ...newLink('').link, ...fields }));

/** Reads the second of two lines, so that no position is 0. */
function read(members: string) {
  const first = toLine('"hits":[["東京",1]]');
  const bytes = Buffer.from(`${first}${toLine(members)}`);
  return readLinkLine(bytes.toString('latin1'), bytes, Buffer.byteLength(first), bytes.length - 1);
}

test('a line that adds a link is read as JSON.parse would read it, apart from its URL', () => {
  fc.assert(
    fc.property(link, fc.option(fc.nat()), (json, batch) => {
      const batchText = batch === null ? '' : `"batch":${batch},`;
      const members = `${batchText}"link":${JSON.stringify(json)}`;
      const record = read(members);
      if (record === undefined) expect(JSON.stringify(json.originalUrl)).toContain('\\');
      else {
        const { originalUrl: _, ...expected } = json;
        expect(record).toEqual({ ...(batch !== null && { batch }), link: expected });
      }
    }),
  );
});

const plain = JSON.stringify(toLinkJson({ ...newLink('').link, alias: 'docs' }));

test.each([
  ['a link', `"link":${plain}`],
  ['a link of a batch', `"batch":96,"link":${plain}`],
])('%s is read without parsing the line', (_, members) => {
  expect(read(members)?.link).toMatchObject({ alias: 'docs', created: NOW });
});

test.each([
  ['an edit', `"batch":96,"edit":${plain}`],
  ['a link with its account', `"account":{"id":"a","created":1},"link":${plain}`],
  ['a link with an idempotency key', `"batch":96,"idempotency":{"keyHash":"k"},"link":${plain}`],
  ['a link whose members have another order', '"link":{"id":"x","created":1,"alias":"y"}'],
  [
    'a link whose URL ends with a backslash',
    '"link":{"id":"i","alias":"a","accountId":"b","originalUrl":"x\\\\","created":1}',
  ],
  ['hits', '"hits":[["id",1]]'],
])('%s is left to JSON.parse', (_, members) => {
  expect(read(members)).toBeUndefined();
});
