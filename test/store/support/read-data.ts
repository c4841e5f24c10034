import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The text of all data files, and the parsed lines with changes. */
export async function readData(folder: string) {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.jsonl')).sort();
  const files = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  const text = files.join('');
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const all = (kind: string) => lines.flatMap((line) => line[kind] ?? []);
  return {
    text,
    links: all('link'),
    accounts: all('account'),
    idempotency: all('idempotency'),
    hits: all('hits'),
  };
}
