import { History, inOrder } from '../../statistics/history.ts';
import type { Counts } from '../../statistics/retention.ts';
import { newTallies, type Tallies } from '../../statistics/tallies.ts';
import { DIMENSIONS } from '../../visits.ts';
import type { ByteReader, ByteWriter } from './bytes.ts';
import { FIRST_TALLY, type LinkVisitsJson } from './visits-json.ts';

/** Not repeated for each link. In memory only, so that their order may change. */
const COMMON_KEYS = [
  ...['direct', 'unknown', 'other', 'desktop', 'mobile', 'tablet'],
  ...['Chrome', 'Safari', 'Firefox', 'Microsoft Edge', 'Opera', 'Samsung Internet for Android'],
  ...['Windows', 'macOS', 'Linux', 'Android', 'iOS', 'Chrome OS'],
  ...['google.com', 'bing.com', 'duckduckgo.com', 'facebook.com', 't.co', 'linkedin.com'],
  ...['reddit.com', 'youtube.com', 'github.com', 'news.ycombinator.com', 'instagram.com'],
  ...['AT', 'AU', 'BE', 'BR', 'CA', 'CH', 'CN', 'CZ', 'DE', 'DK', 'ES', 'FI', 'FR', 'GB', 'IE'],
  ...['IN', 'IT', 'JP', 'KR', 'MX', 'NL', 'NO', 'NZ', 'PL', 'PT', 'RU', 'SE', 'TR', 'UA', 'US'],
];
const COMMON = new Map(COMMON_KEYS.map((key, index) => [key, index + 1]));
/** Precedes a text. Other numbers stand for a common key, or for one of the history's own. */
const INLINE = 0;
const FIRST_OWN = COMMON_KEYS.length + 1;

/** The keys of a line, each looked up once. */
export type LineKeys = { texts: string[]; numbers: number[] };

export function toLineKeys(texts: string[]): LineKeys {
  return { texts, numbers: texts.map((text) => COMMON.get(text) ?? INLINE) };
}

/** Writes visits of one hour, to be appended to a history. */
export function writeVisits(
  writer: ByteWriter,
  visits: LinkVisitsJson,
  { texts, numbers }: LineKeys,
): void {
  // The hour and the counts.
  for (let at = 2; at < FIRST_TALLY; at++) writer.number(visits[at] as number);
  for (let dimension = 0; dimension < DIMENSIONS.length; dimension++) {
    const pairs = visits[FIRST_TALLY + dimension] as number[] | undefined;
    writer.number(pairs === undefined ? 0 : pairs.length / 2);
    if (pairs === undefined) continue;
    for (let at = 0; at < pairs.length; at += 2) {
      const key = pairs[at] as number;
      const number = numbers[key] as number;
      writer.number(number);
      if (number === INLINE) writer.text(texts[key] as string);
      writer.number(pairs[at + 1] as number);
    }
  }
}

/** Writes a history, which visits can be appended to. */
export function writeHistory(writer: ByteWriter, history: History): void {
  const own = ownKeys([...history.talliesOfDays.values(), ...history.talliesOfMonths.values()]);
  writer.number(own.size);
  for (const key of own.keys()) writer.text(key);
  for (const series of [history.hours, history.days, history.months]) {
    writeSeries(writer, series, (counts) => {
      for (const count of counts) writer.number(count);
    });
  }
  for (const series of [history.talliesOfDays, history.talliesOfMonths]) {
    writeSeries(writer, series, (tallies) => {
      for (const tally of tallies) {
        writer.number(tally.size);
        for (const [key, people] of tally) {
          writer.number(COMMON.get(key) ?? own.get(key) ?? INLINE);
          writer.number(people);
        }
      }
    });
  }
}

/** @param hasBase whether a history comes before the visits */
export function readHistory(reader: ByteReader, hasBase: boolean): History {
  const history = new History();
  if (hasBase) {
    const own = Array.from({ length: reader.number() }, () => reader.text());
    for (const series of [history.hours, history.days, history.months]) {
      readSeries(reader, series, () => readCounts(reader));
    }
    for (const series of [history.talliesOfDays, history.talliesOfMonths]) {
      readSeries(reader, series, () => readTallies(reader, own));
    }
  }
  while (!reader.isAtEnd) readVisits(reader, history);
  return history;
}

/** Reads what `writeVisits` wrote, without objects in between. */
function readVisits(reader: ByteReader, history: History): void {
  const hour = reader.number();
  history.addCounts(hour, readCounts(reader));
  for (let dimension = 0; dimension < DIMENSIONS.length; dimension++) {
    for (let left = reader.number(); left > 0; left--) {
      const key = readKey(reader, []);
      history.addPeople(hour, dimension, key, reader.number());
    }
  }
}

function ownKeys(all: Tallies[]): Map<string, number> {
  const own = new Map<string, number>();
  for (const tally of all.flat()) {
    for (const key of tally.keys()) {
      if (!COMMON.has(key) && !own.has(key)) own.set(key, FIRST_OWN + own.size);
    }
  }
  return own;
}

/** Each period is written as the distance to the one before. */
function writeSeries<T>(writer: ByteWriter, series: Map<number, T>, write: (value: T) => void) {
  writer.number(series.size);
  let before = 0;
  for (const [period, value] of inOrder(series)) {
    writer.number(period - before);
    before = period;
    write(value);
  }
}

function readSeries<T>(reader: ByteReader, series: Map<number, T>, read: () => T): void {
  let period = 0;
  for (let left = reader.number(); left > 0; left--) {
    period += reader.number();
    series.set(period, read());
  }
}

function readCounts(reader: ByteReader): Counts {
  return [reader.number(), reader.number(), reader.number(), reader.number()];
}

function readTallies(reader: ByteReader, own: string[]): Tallies {
  const tallies = newTallies();
  for (let dimension = 0; dimension < DIMENSIONS.length; dimension++) {
    for (let left = reader.number(); left > 0; left--) {
      const key = readKey(reader, own);
      tallies[dimension]?.set(key, reader.number());
    }
  }
  return tallies;
}

function readKey(reader: ByteReader, own: string[]): string {
  const number = reader.number();
  if (number === INLINE) return reader.text();
  return COMMON_KEYS[number - 1] ?? own[number - FIRST_OWN] ?? '';
}
