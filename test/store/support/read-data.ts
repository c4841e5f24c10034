import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RecordKind } from '../../../server/store/records.ts';

/** The text of all data files, and what the records of some kinds contain, deleted ones left out. */
export async function readData(folder: string) {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.jsonl')).sort();
  const files = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  const text = files.join('');
  const records = text
    .trimEnd()
    .split('\n')
    .flatMap((line) => JSON.parse(line).records ?? [])
    .filter(([, , value]) => value !== null);
  const all = (kind: RecordKind) => records.filter(([each]) => each === kind);
  const withKey = (kind: RecordKind) => all(kind).map(([, id, value]) => ({ id, ...value }));
  return {
    text,
    links: withKey('link'),
    accounts: withKey('account'),
    idempotency: all('idempotencyKey').map(([, , value]) => value),
    hits: all('hits').map(([, id, value]) => [id, value]),
  };
}
