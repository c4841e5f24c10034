import { z } from 'zod';

/**
 * A date and time of RFC 3339, and what programs and files write instead: without seconds, with an offset
 * without a colon or minutes, or with a space where a query had a `+`.
 */
const TIME =
  /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d)(?::(\d\d)(\.\d+)?)?(?: ?([Zz])| ?([+\- ])(\d\d)(?::?(\d\d))?)$/;
/** What the schemas here, and `Date`, know. */
const canonical = z.iso.datetime({ offset: true });

/** Returns a time as ISO 8601 has it, such as `2030-01-31T12:00:00+01:00`; undefined if it is none. */
export function toIsoTime(text: string): string | undefined {
  const [match, date, minute, second = '00', fraction = '', utc, sign, hours, minutes = '00'] =
    TIME.exec(text) ?? [];
  if (match === undefined) return undefined;
  const offset = utc === undefined ? `${sign === '-' ? '-' : '+'}${hours}:${minutes}` : 'Z';
  // `Date` knows no leap second. It counts as the one before.
  const isLeap = second === '60' && minute?.endsWith(':59');
  const time = `${date}T${minute}:${isLeap ? '59' : second}${fraction}${offset}`;
  return canonical.safeParse(time).success ? time : undefined;
}
