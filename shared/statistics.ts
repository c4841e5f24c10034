import { z } from 'zod';
import { tagParameter } from './links/link-list.ts';
import { linkQuerySchema } from './links/link-responses.ts';
import { isShortUrl } from './links/target-schemas.ts';
import { envelope, oneOf, selecting } from './schemas.ts';
import { toIsoTime } from './time-text.ts';
import { isTimeZone } from './time-zone.ts';

const STATISTICS_UNITS = ['hour', 'day', 'month'] as const;
export type StatisticsUnit = (typeof STATISTICS_UNITS)[number];
/** Periods in one answer. */
export const STATISTICS_POINTS_MAX = 2200;
/** Periods that are answered by default, the current one included. */
export const STATISTICS_POINTS_DEFAULT = { hour: 48, day: 30, month: 12 } as const;

const TIME_ZONE_MAX_CHARACTERS = 64;
/** The end of the last period is a time with four digits, too, in any time zone. */
const YEARS = { first: 1970, last: 9998 };

const time = (description: string) =>
  selecting(
    z
      .string()
      .transform((text, context) => {
        const known = isDate(text) ? text : toIsoTime(text);
        if (known !== undefined) return known;
        context.addIssue({
          code: 'custom',
          message: 'Must be a date, such as 2030-01-31, or a time, such as 2030-01-31T12:00:00Z.',
        });
        return z.NEVER;
      })
      .refine(isYearInRange, `Must be in a year from ${YEARS.first} to ${YEARS.last}.`)
      .optional()
      .describe(description),
  );

/** Periods that statistics are about. */
export const statisticsQuerySchema = z.strictObject({
  from: time(
    'First period: a date in the time zone, or a time in ISO 8601. Default: 30 days in all; 48 hours or 12 months with those units. Hours are known for 90 days, days for 400.',
  ),
  to: time('Last period: a date, which is included, or a time. Default: now.'),
  unit: selecting(
    z
      .enum(STATISTICS_UNITS)
      .optional()
      .describe('Length of a period: `hour`, `day` (default) or `month`.'),
  ),
  timeZone: selecting(
    z
      .string()
      .max(TIME_ZONE_MAX_CHARACTERS, 'Is too long.')
      .refine(isTimeZone, 'Must be the name of a time zone, such as Europe/Berlin.')
      .optional()
      .describe('IANA time zone in which periods begin, such as `Europe/Berlin`. Default: `UTC`.'),
  ),
});
export type StatisticsQuery = z.output<typeof statisticsQuerySchema>;

/** The query of `GET /api/links/:alias/stats`. */
export const linkStatisticsQuerySchema = statisticsQuerySchema.extend(linkQuerySchema.shape);

/** The query of `GET /api/stats`. */
export const accountStatisticsQuerySchema = statisticsQuerySchema.extend({
  tag: tagParameter(
    'Only the links that have this tag now, regardless of case, with all of their visits. Default: all links, also those that were deleted since.',
  ),
});
export type AccountStatisticsQuery = z.output<typeof accountStatisticsQuerySchema>;

const count = (description: string) => z.number().int().describe(description);
const utc = (description: string) => z.iso.datetime().describe(description);

const counts = {
  people: count('Visits by people, as in `hits`.'),
  uniquePeople: count(
    'People, each counted once per link and day (UTC). Longer periods are sums of days: somebody who comes on two days counts twice.',
  ),
  previews: count(
    'Visits by programs that show a preview of the link, `HEAD` requests, prefetches.',
  ),
  bots: count('Visits by other bots.'),
};

const top = (description: string) =>
  z
    .array(
      z.object({
        key: z.string().describe('The value, or `other` for all that are not among the top 24.'),
        people: count('Visits by people.'),
      }),
    )
    .describe(
      `${description} Most frequent first. Of whole days (UTC); older than 35 days, of whole months.`,
    );

export const statisticsSchema = z.object({
  from: utc('Start of the first period, in UTC.'),
  to: utc('End of the last period, in UTC.'),
  unit: oneOf(STATISTICS_UNITS, 'day').describe('Length of a period.'),
  timeZone: z.string().refine(isTimeZone).describe('Time zone in which periods begin.'),
  isRecording: z
    .boolean()
    .describe(
      'Whether visits are recorded now: see `STATISTICS` in the settings. Earlier ones stay.',
    ),
  totals: z.object(counts).describe('Sums of all periods.'),
  previous: z
    .object(counts)
    .describe(
      'Sums of as many periods before. If the last period is not over, they end as long before their end.',
    ),
  series: z
    .array(z.object({ start: utc('Start of the period, in UTC.'), ...counts }))
    .describe('Every period in order, also those without visits.'),
  valuesFrom: utc(
    'Start of the whole days or months (UTC) that `referrers` and all lists like it are of. If they are not those from `from` to `to`, sums of the lists may differ from `totals`.',
  ).optional(),
  valuesTo: utc('Their end.').optional(),
  referrers: top(
    'Sites that led to the link: the names of search engines, social networks and AI assistants, such as `Google`, and the hosts of others; `direct` if the browser sent none.',
  ),
  browsers: top('Browsers, without versions.'),
  systems: top('Operating systems, without versions.'),
  devices: top('`desktop`, `mobile`, `tablet` or `other`.'),
  countries: top('ISO 3166-1 codes, or `unknown`; see `COUNTRY_HEADER` in the settings.'),
});
export type StatisticsReport = z.output<typeof statisticsSchema>;

const linkStatisticsSchema = statisticsSchema.extend({
  targets: top(
    'Where people went while the link had rules: the target of the rule that matched, or `originalUrl`, each as in `Location` without a forwarded query. Numbers stay with a target when rules are edited or reordered; rules with the same target count together. A target with more than 200 characters is shortened, with a hash at the end.',
  ),
});
export type LinkStatistics = z.output<typeof linkStatisticsSchema>;

/** The 200 of `GET /api/links/:alias/stats`. */
export const linkStatisticsResponseSchema = envelope(linkStatisticsSchema);

const accountStatisticsSchema = statisticsSchema.extend({
  topLinks: z
    .array(
      z.object({
        alias: z.string().describe('Its alias.'),
        shortUrl: z.string().refine(isShortUrl).describe('Its short URL.'),
        title: z.string().describe('Its title; empty without one.'),
        label: z.string().describe('Its private title; empty without one.'),
        people: count('Visits by people.'),
      }),
    )
    .describe(
      'The most visited links, at most 24, without erased ones. Of whole days (UTC); older than 35 days, of whole months.',
    ),
  otherLinks: count(
    'Visits by people of all other links in the same days or months, also of links that were erased since. With `topLinks` it adds up to the whole.',
  ),
});
export type AccountStatistics = z.output<typeof accountStatisticsSchema>;

/** The 200 of `GET /api/stats`. */
export const accountStatisticsResponseSchema = envelope(accountStatisticsSchema);

function isDate(text: string): boolean {
  return z.iso.date().safeParse(text).success;
}

function isYearInRange(time: string): boolean {
  const year = Number.parseInt(time, 10);
  return year >= YEARS.first && year <= YEARS.last;
}
