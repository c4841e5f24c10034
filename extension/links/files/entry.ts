import { z } from 'zod';
import {
  ORIGINAL_URL_MAX_CHARACTERS,
  TITLE_MAX_CHARACTERS,
  WAIT_TIMER_MAX_SECONDS,
} from '../../../shared/limits.ts';
import { truncate } from '../../../shared/links/truncate.ts';
import type { ListedLink } from '../link.ts';

/** Identifies the file format. */
export const FILE_FORMAT = 'curt-links';
export const FILE_VERSION = 1;

/** An entry of a file that was not imported. */
export type EntryIssue = {
  /** Line of a CSV file, or number of the entry in a JSON file. Both start at 1. */
  place: number;
  /** The missing or invalid fields; empty if it is not an entry at all. */
  fields: string[];
};

/** Why the file cannot be read. Each reason has its own message. */
export type FileFailure =
  | 'file_empty'
  | 'file_foreign'
  | 'file_newer'
  | 'file_too_large'
  | 'file_unreadable';

export type ReadFile =
  | { ok: true; places: 'lines' | 'entries'; links: ListedLink[]; issues: EntryIssue[] }
  | { ok: false; code: FileFailure };

const webUrl = z.url({ protocol: /^https?$/ }).max(ORIGINAL_URL_MAX_CHARACTERS);
const dateTime = z.iso.datetime({ offset: true }).transform((text) => new Date(text).toISOString());

/** A link in a file. Files may be written by hand, so most fields are optional. */
const entrySchema = z.object({
  title: z
    .string()
    .default('')
    .transform((title) => truncate(title, TITLE_MAX_CHARACTERS)),
  shortUrl: webUrl,
  originalUrl: webUrl,
  created: dateTime,
  expiresAt: dateTime.nullable().default(null),
  hasPassword: z.boolean().default(false),
  waitTimerSeconds: z.number().int().min(0).max(WAIT_TIMER_MAX_SECONDS).default(0),
  /** Origin of the server that created the link. */
  server: webUrl.transform((url) => new URL(url).origin).optional(),
  /** The URL as it was sent to the server. */
  requestedUrl: z.string().min(1).max(ORIGINAL_URL_MAX_CHARACTERS).optional(),
});
export type FileEntry = z.input<typeof entrySchema>;
/** With the tags, which are only written: the account has those of its links, and no others can have any. */
export type WrittenEntry = Required<FileEntry> & { tags: string[] };
export const READ_FIELDS = Object.keys(entrySchema.shape) as (keyof FileEntry)[];
export const WRITTEN_FIELDS: (keyof WrittenEntry)[] = [...READ_FIELDS, 'tags'];

export function toEntry({ serverOrigin, ...link }: ListedLink): WrittenEntry {
  const { title, shortUrl, originalUrl, created, expiresAt, hasPassword, waitTimerSeconds } = link;
  return {
    title,
    shortUrl,
    originalUrl,
    created,
    expiresAt,
    hasPassword,
    waitTimerSeconds,
    server: serverOrigin,
    requestedUrl: link.requestedUrl,
    tags: link.managed?.tags ?? [],
  };
}

/** @returns the link, or the invalid fields of the entry */
export function readEntry(entry: unknown): { link: ListedLink } | { fields: string[] } {
  const parsed = entrySchema.safeParse(entry);
  if (!parsed.success) {
    const fields = parsed.error.issues.map(({ path }) => String(path[0] ?? ''));
    return { fields: [...new Set(fields)].filter(Boolean) };
  }
  const { server, requestedUrl, ...link } = parsed.data;
  return {
    link: {
      ...link,
      serverOrigin: server ?? new URL(link.shortUrl).origin,
      requestedUrl: requestedUrl ?? link.originalUrl,
    },
  };
}

/** For example `curt-links-2030-01-31.csv`, with the local date. */
export function fileName(extension: 'json' | 'csv', now: Date): string {
  const parts = [now.getFullYear(), now.getMonth() + 1, now.getDate()];
  const date = parts.map((part) => String(part).padStart(2, '0')).join('-');
  return `${FILE_FORMAT}-${date}.${extension}`;
}
