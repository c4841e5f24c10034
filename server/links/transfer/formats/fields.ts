import { z } from 'zod';
import { toIsoTime } from '../../../../shared/time-text.ts';

/** What MySQL stores for an invalid date. */
const ZERO_DATE = '0000-00-00 00:00:00';

/**
 * A date, with or without a time and an offset, in milliseconds since the epoch. UTC if it has no
 * offset, because databases are exported like that.
 */
export const timeText = z.string().transform((text, context) => {
  if (text === ZERO_DATE) return null;
  const written = text.trim().replace(/ ?UTC$/, 'Z');
  const time = toIsoTime(written) ?? toIsoTime(`${written}Z`) ?? toIsoTime(`${written}T00:00Z`);
  if (time !== undefined) return Date.parse(time);
  context.addIssue({
    code: 'custom',
    message: 'Must be a date and time, such as 2026-01-31T12:00:00Z or 2026-01-31 12:00:00.',
  });
  return z.NEVER;
});

const NOT_A_COUNT = 'Must be a whole number, 0 or more.';

/** A whole number, also as text. */
export const count = z.union(
  [
    z.int().min(0, NOT_A_COUNT),
    z
      .string()
      .regex(/^\d{1,15}$/)
      .transform(Number),
  ],
  { error: NOT_A_COUNT },
);

/** The alias in a short URL: its path, without the first slash. */
export function aliasOf(shortUrl: string): string {
  const path = shortUrl.replace(/^([a-z]+:)?\/\//i, '').split(/[?#]/)[0] ?? '';
  const start = path.indexOf('/');
  const alias = start === -1 ? '' : path.slice(start + 1).replace(/\/$/, '');
  try {
    return decodeURIComponent(alias);
  } catch {
    return alias;
  }
}
