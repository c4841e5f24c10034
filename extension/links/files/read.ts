import { readCsv } from './csv.ts';
import type { ReadFile } from './entry.ts';
import { readJson } from './json.ts';

/** 10,000 typical links take 5 MB. */
const FILE_MAX_BYTES = 32 * 1024 * 1024;

/** Reads a file of links. Detects the format by the content, not by the file name. */
export async function readLinkFile(file: Blob): Promise<ReadFile> {
  if (file.size > FILE_MAX_BYTES) return { ok: false, code: 'file_too_large' };
  const text = await file.text();
  const [first] = text.trimStart();
  if (first === undefined) return { ok: false, code: 'file_empty' };
  return first === '{' || first === '[' ? readJson(text) : readCsv(text);
}
