import { type EditRequest, editRequestSchema } from './edit-request.ts';
import type { LinkRecord } from './link-record.ts';

/**
 * Whether a link has all the values of an edit, so that sending it again would change nothing. Nobody can tell
 * of a new password, and of an expiry that counts from now: these are never there.
 */
export function hasValues(record: LinkRecord, edit: EditRequest): boolean {
  const parsed = editRequestSchema.safeParse(edit);
  if (!parsed.success) return false;
  const { originalUrl, customAlias, password, expiresAt, startsAt, ...others } = parsed.data;
  const now: Record<string, unknown> = record;
  return (
    (originalUrl === undefined || originalUrl.text === record.originalUrl) &&
    (!customAlias || customAlias === record.alias) &&
    (password === undefined || (password === null && !record.hasPassword)) &&
    isSameTime(expiresAt, record.expiresAt) &&
    isSameTime(startsAt, record.startsAt) &&
    Object.entries(others).every(
      ([name, value]) => value === undefined || toText(value) === toText(now[name]),
    )
  );
}

function isSameTime(sent: string | number | null | undefined, now: string | null): boolean {
  if (sent === undefined) return true;
  if (sent === null || now === null) return sent === now;
  return new Date(sent).getTime() === Date.parse(now);
}

/** Whatever the order of its properties. */
function toText(value: unknown): string | undefined {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );
}
