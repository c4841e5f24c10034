import { z } from 'zod';
import type { ListedLink } from '../link.ts';
import {
  type EntryIssue,
  FILE_FORMAT,
  FILE_VERSION,
  type ReadFile,
  readEntry,
  toEntry,
} from './entry.ts';

const fileSchema = z.object({
  format: z.literal(FILE_FORMAT),
  version: z.int().min(1),
  links: z.array(z.unknown()),
});

export function writeJson(links: ListedLink[], now: Date): string {
  const file = {
    format: FILE_FORMAT,
    version: FILE_VERSION,
    exported: now.toISOString(),
    links: links.map(toEntry),
  };
  return `${JSON.stringify(file, null, 2)}\n`;
}

export function readJson(text: string): ReadFile {
  const file = fileSchema.safeParse(parse(text));
  if (!file.success) return { ok: false, code: 'file_foreign' };
  if (file.data.version > FILE_VERSION) return { ok: false, code: 'file_newer' };
  const links: ListedLink[] = [];
  const issues: EntryIssue[] = [];
  for (const [index, entry] of file.data.links.entries()) {
    const read = readEntry(entry);
    if ('link' in read) links.push(read.link);
    else issues.push({ place: index + 1, fields: read.fields });
  }
  return { ok: true, places: 'entries', links, issues };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
