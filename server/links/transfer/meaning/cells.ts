import { trimText } from '../../../../shared/text.ts';
import { toIsoTime } from '../../../../shared/time-text.ts';
import { DAY_MS } from '../../../lib/time.ts';

/** A value, undefined for none; or a sentence that says what is wrong with it. */
export type Read<T> = { value: T | undefined } | { problem: string };

export type DateOrder = 'day' | 'month';

/** How databases export NULL. */
const NULLS = new Set(['NULL', '\\N']);
const NEVER = new Set([
  'never',
  'none',
  'no',
  'n/a',
  '-',
  'nie',
  'keine',
  'jamais',
  'nunca',
  'なし',
]);
const YES = new Set([
  ...['yes', 'y', 'true', 't', '1', 'on', 'ja', 'wahr', 'oui', 'vrai', 'sí', 'si', 'verdadero'],
  ...['はい', '真', 'نعم', 'صحيح'],
]);
const NO = new Set([
  ...['no', 'n', 'false', 'f', '0', 'off', 'nein', 'falsch', 'non', 'faux', 'falso'],
  ...['いいえ', '偽', 'لا', 'خطأ'],
]);

const ACTIVE = new Set([
  ...['active', 'enabled', 'live', 'ok', 'online', 'public', 'published', 'normal', '200'],
  ...['301', '302', '303', '307', '308', 'aktiv', 'actif', 'activo', '有効', 'نشط'],
  ...['activa', 'activé', 'activée', 'activado', 'activada', 'aktiviert'],
  ...['habilitado', 'habilitada', 'publié', 'publicado', 'veröffentlicht', '公開', 'منشور'],
]);

const NOT_A_COUNT = 'Must be a whole number, 0 or more.';
/** `1,234` and `1.234`, with one kind of separator. */
const THOUSANDS = /^\d{1,3}([.,'’\u00a0\u202f ])\d{3}(?:\1\d{3}){0,4}$/;
/** As spreadsheets write large numbers: `1,00E+05`. */
const SCIENTIFIC = /^\d([.,]\d{1,14})?e\+?\d{1,2}$/i;
const NOT_A_TIME = 'Must be a date and time, such as 2026-01-31T12:00:00Z or 2026-01-31 12:00:00.';
/** Choosing an order reads it, so the row is not imported without it. */
export const AMBIGUOUS =
  'It is ambiguous which is the day and which the month. Say which is first.';
/** What MySQL stores for an invalid date. */
const ZERO_DATE = '0000-00-00';
/** Later ones are milliseconds, or microseconds: otherwise, they would be after the year 5000. */
const SECONDS_MAX = 100_000_000_000;
const MILLISECONDS_MAX = 1000 * SECONDS_MAX;
const SCHEDULE_MIN = Date.UTC(2000, 0);
const SCHEDULE_MAX = Date.UTC(2500, 0);
/** More would be no date, and take time to look at. */
const DATE_MAX_CHARACTERS = 100;
/** After a date: `23:59`, `at 11:59:00 PM`, with the zone after it. */
const TIME = String.raw`(?:,?[ T]+(?:(?:at|um|à) )?(?<hour>\d{1,2}):(?<minute>\d\d)(?::(?<second>\d\d)(?:\.\d+)?)?(?: ?(?<half>[ap])\.?m\.?)?)?(?<zone>.*)$`;
const WEEKDAY = String.raw`(?:[\p{L}.]+,? )?`;
const pattern = (date: string) => new RegExp(`^${date}${TIME}`, 'iu');
/** `22.02.2019`, `2/22/2019`. */
const LOCAL = pattern(
  String.raw`(?<one>\d{1,2})(?<separator>[./-])(?<two>\d{1,2})\k<separator>(?<year>\d{4}|\d{2})`,
);
/** What says which is the day: `2019/2/22`, `22-Feb-19`, `5 de enero de 2024`, `Fri, 22 Feb 2019`, `February 22, 2019`. */
const CLEAR = [
  pattern(String.raw`(?<year>\d{4})[-/.年](?<month>\d{1,2})[-/.月](?<day>\d{1,2})日?`),
  pattern(
    String.raw`${WEEKDAY}(?<month>\p{L}+)\.? (?<day>\d{1,2})(?:st|nd|rd|th)?,? (?<year>\d{4})`,
  ),
  pattern(
    String.raw`${WEEKDAY}(?<day>\d{1,2})(?:st|nd|rd|th|er|\.)?[ /-]?(?:de )?(?<month>\p{L}+)\.?,?[ /-]?(?:de )?(?<year>\d{4}|\d{2})`,
  ),
];
/** Numbers of months by their names, short and long, without a dot. Made when needed: it takes 50 ms. */
let months: Map<string, number> | undefined;

function monthOf(name: string): number | undefined {
  months ??= new Map([
    ...['en', 'de', 'es', 'fr', 'ar'].flatMap((language) =>
      (['short', 'long'] as const).flatMap((month) => {
        const { format } = new Intl.DateTimeFormat(language, { month, timeZone: 'UTC' });
        return Array.from({ length: 12 }, (_, index): [string, number] => {
          const written = foldCell(format(Date.UTC(2000, index)));
          return [written.replace(/\.$/, ''), index + 1];
        });
      }),
    ),
    // As Excel writes it.
    ['mrz', 3],
  ]);
  return months.get(foldCell(name));
}
/** A time without a zone. */
const NO_ZONE = /[ T,]\d{1,2}:\d\d(:\d\d(\.\d+)?)?( ?[ap]\.?m\.?)?$/i;

/** Whether a cell or a field says nothing. */
export function isNothing(value: unknown): value is null | undefined | '' {
  if (typeof value !== 'string') return value === null || value === undefined;
  const text = trimText(value);
  return text === '' || NULLS.has(text);
}

/** Returns true, false, or undefined if it is neither. */
export function readBoolean(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  const text = foldCell(value);
  if (YES.has(text)) return true;
  return NO.has(text) ? false : undefined;
}

/** Undefined if it may be anything else, which may protect the link. */
export function readActive(value: unknown): boolean | undefined {
  return readBoolean(value) ?? (ACTIVE.has(foldCell(value)) || undefined);
}

export function foldCell(value: unknown): string {
  return trimText(String(value)).normalize('NFC').toLowerCase();
}

/** Reads a whole number, also with separators of thousands. */
export function readCount(value: unknown): Read<number> {
  const text = trimText(String(value));
  if (typeof value === 'number' || /^\d{1,15}$/.test(text)) {
    return Number.isSafeInteger(Number(value)) && Number(value) >= 0
      ? { value: Number(value) }
      : { problem: NOT_A_COUNT };
  }
  if (SCIENTIFIC.test(text) || /^\d{1,15}[.,]0+$/.test(text)) {
    if (!THOUSANDS.test(text)) return readCount(Number(text.replace(',', '.')));
  }
  if (typeof value !== 'string' || !THOUSANDS.test(text)) return { problem: NOT_A_COUNT };
  return { value: Number(text.replace(/\D/g, '')) };
}

/**
 * Milliseconds since the epoch. UTC if there is no zone, because databases are exported like that.
 *
 * @param order what comes first where nothing else says it
 */
export function readTime(value: unknown, order: DateOrder | null): Read<number> {
  if (typeof value !== 'string' && typeof value !== 'number') return { problem: NOT_A_TIME };
  const text = trimText(String(value));
  if (/^\d{1,17}(\.\d{1,6})?$/.test(text)) return readEpoch(Number(text));
  if (text.startsWith(ZERO_DATE) || NEVER.has(text.toLowerCase())) return { value: undefined };
  if (text.length > DATE_MAX_CHARACTERS) return { problem: NOT_A_TIME };
  const written = parseIso(text) === undefined ? toYearFirst(text, order) : text;
  if (written === undefined) {
    return { problem: AMBIGUOUS };
  }
  const time = parseIso(written);
  return time === undefined ? { problem: NOT_A_TIME } : { value: time };
}

/** When spreadsheets count days from, and of which numbers they are: the years 1990 to 2119. */
const SERIAL_START = Date.UTC(1899, 11, 30);
const [SERIAL_MIN, SERIAL_MAX] = [32_874, 80_000];
/** Before, there were no short links, and after, it is no date of a record. */
const RECORD_MIN = Date.UTC(1990, 0);
const RECORD_MAX = Date.UTC(2120, 0);
/** Chromium counts microseconds from here. */
const CHROMIUM_START = Date.UTC(1601, 0);
const COMPACT_DATE = /^(\d{4})(\d\d)(\d\d)$/;

/** When something was created or modified: also as a number of a spreadsheet or of Chromium, or `20260131`. */
export function readRecordTime(value: unknown, order: DateOrder | null): Read<number> {
  const text = typeof value === 'string' ? trimText(value) : value;
  const serial = /^\d{5}([.,]\d+)?$/.test(String(text))
    ? Number(String(text).replace(',', '.'))
    : 0;
  if (serial >= SERIAL_MIN && serial < SERIAL_MAX) {
    return { value: Math.round((SERIAL_START + serial * DAY_MS) / 1000) * 1000 };
  }
  const read = readTime(String(text).replace(COMPACT_DATE, '$1-$2-$3'), order);
  if (!('value' in read) || read.value === undefined) return read;
  const isLikely = (time: number) => time >= RECORD_MIN && time < RECORD_MAX;
  if (isLikely(read.value) || !/^\d+([.,]\d+)?$/.test(String(text))) return read;
  const time = read.value + CHROMIUM_START;
  return /^\d{17}$/.test(String(text)) && isLikely(time)
    ? { value: time }
    : { problem: NOT_A_TIME };
}

/**
 * When a link starts or expires. A number that would be long past or far ahead counts days, or is a date such as
 * 20310131 or 203101311200.
 */
export function readSchedule(value: unknown, order: DateOrder | null): Read<number> {
  const read = readTime(value, order);
  if (!('value' in read) || read.value === undefined) return read;
  const isNumber = /^\d+(\.\d+)?$/.test(trimText(String(value)));
  const isLikely = read.value >= SCHEDULE_MIN && read.value < SCHEDULE_MAX;
  return isNumber && !isLikely ? { problem: NOT_A_TIME } : read;
}

function readEpoch(number: number): Read<number> {
  if (number === 0) return { value: undefined };
  if (number < SECONDS_MAX) return { value: Math.round(number * 1000) };
  return { value: Math.round(number < MILLISECONDS_MAX ? number : number / 1000) };
}

function parseIso(text: string): number | undefined {
  const written = text.replace(/ ?(UTC|GMT)$/, 'Z');
  const time = toIsoTime(written) ?? toIsoTime(`${written}Z`) ?? toIsoTime(`${written}T00:00Z`);
  return time === undefined ? undefined : Date.parse(time);
}

/** The same with the year first; undefined if its order is not known. */
function toYearFirst(text: string, order: DateOrder | null): string | undefined {
  const local = LOCAL.exec(text)?.groups;
  const found = local ?? CLEAR.map((each) => each.exec(text)).find(Boolean)?.groups;
  if (!found) return text;
  const { one = '', two = '', separator, hour, minute, second = '00', half, zone = '' } = found;
  let { day = '', month = '', year = '' } = found;
  if (local) {
    const first = separator === '.' ? 'day' : (orderOf(text) ?? order);
    if (!first && one !== two) return undefined;
    [day, month] = first === 'month' ? [two, one] : [one, two];
  } else if (!/^\d/.test(month)) {
    month = String(monthOf(month) ?? month);
  }
  if (year.length === 2) year = `20${year}`;
  const date = [year, month, day].map((part) => part.padStart(2, '0')).join('-');
  // As JavaScript writes it: `GMT+0100 (Central European Standard Time)`.
  const offset = zone.replace(/ ?\([^()]*\)$/, '').replace(/^ ?(?:GMT|UTC)(?=[+-])/, '');
  if (hour === undefined) return date + offset;
  const hours = half ? (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0) : Number(hour);
  return `${date} ${String(hours).padStart(2, '0')}:${minute}:${second}${offset}`;
}

/** Returns what comes first in a date with slashes or dashes: undefined if it can be either or is another date. */
export function orderOf(text: string): DateOrder | undefined {
  const { one, two, separator } = LOCAL.exec(text)?.groups ?? {};
  if (one === undefined || separator === '.') return undefined;
  if (Number(one) > 12) return 'day';
  return Number(two) > 12 ? 'month' : undefined;
}

export function isAmbiguousDate(text: string): boolean {
  const { one, two, separator } = LOCAL.exec(text)?.groups ?? {};
  return one !== undefined && separator !== '.' && one !== two && orderOf(text) === undefined;
}

export function lacksZone(text: string): boolean {
  return NO_ZONE.test(text);
}

export type ShortUrlParts = { host: string | null; alias: string };

/**
 * Returns the host and the alias of a short URL: its path, or the last part of it if the service can be in a
 * folder. Without a slash it is an alias.
 */
export function splitShortUrl(text: string, isInFolder = false): ShortUrlParts {
  const written = trimText(text);
  const protocol = /^([a-z]+:)?\/\//i.exec(written)?.[0];
  const address = written.slice(protocol?.length ?? 0).split(/[?#]/)[0] ?? '';
  const start = address.indexOf('/');
  if (start === -1) return protocol ? { host: address, alias: '' } : { host: null, alias: address };
  const path = address.slice(start + 1).replace(/\/$/, '');
  const alias = isInFolder ? path.slice(path.lastIndexOf('/') + 1) : path;
  return { host: address.slice(0, start) || null, alias: decode(alias) };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
