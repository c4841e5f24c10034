import type { FastifyReply, FastifyRequest } from 'fastify';
import { LruMap } from 'toad-cache';
import { fillIn } from '../../../shared/i18n/fill-in.ts';
import { formatShortWait } from '../../../shared/i18n/format-wait.ts';
import { chosenLanguage, languageName } from '../../../shared/i18n/language-choice.ts';
import { regionalTag } from '../../../shared/i18n/regional-tag.ts';
import type { MessageKey, Substitutions } from '../../../shared/i18n/translate.ts';
import {
  type LocaleTexts,
  readLocales,
  VISIT_KEY_PREFIX,
} from '../../../shared/locales/read-locales.ts';

/** Texts that other pages have, too. */
const SHARED_KEYS = [
  ...['visits_people', 'visits_unique_people', 'show_as_table', 'statistics_off', 'range_label'],
  ...['range_7_days', 'range_30_days', 'range_90_days', 'range_12_months'],
  ...['top_referrers', 'top_countries', 'top_devices', 'top_browsers', 'top_systems'],
  ...['field_max_visits', 'top_value', 'top_share', 'value_direct', 'value_other', 'value_unknown'],
  ...['device_desktop', 'device_mobile', 'device_tablet'],
] as const satisfies MessageKey[];
const SHARED = new Set<string>(SHARED_KEYS);

/** A text of a page for visitors. */
export type VisitKey =
  | Extract<MessageKey, `${typeof VISIT_KEY_PREFIX}${string}`>
  | (typeof SHARED_KEYS)[number];

type Unit = 'hour' | 'day' | 'month';
const PERIODS: Record<'long' | 'short', Record<Unit, Intl.DateTimeFormatOptions>> = {
  long: {
    hour: { dateStyle: 'medium', timeStyle: 'short' },
    day: { dateStyle: 'full' },
    month: { month: 'long', year: 'numeric' },
  },
  short: {
    hour: { hour: 'numeric', minute: '2-digit' },
    day: { day: 'numeric', month: 'short' },
    month: { month: 'short', year: '2-digit' },
  },
};
const DATE: Intl.DateTimeFormatOptions = { dateStyle: 'medium' };
const TIME: Intl.DateTimeFormatOptions = {
  year: 'numeric',
  month: 'long',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  timeZoneName: 'short',
};
const COUNT: Intl.NumberFormatOptions = {};
const SECONDS: Intl.NumberFormatOptions = {
  style: 'unit',
  unit: 'second',
  unitDisplay: 'long',
};
const PERCENT: Intl.NumberFormatOptions = { style: 'percent' };

/**
 * The texts and formats of one language. The server shows several languages at once, so each page gets
 * its translator as a parameter. `Intl` objects are expensive, so each is created once, when needed.
 */
export class Translator {
  /** BCP 47 tag. */
  readonly language: string;
  readonly direction: string;
  readonly #texts: LocaleTexts;
  /** BCP 47 tag of the formats. */
  readonly #region: string;
  #relative: Intl.RelativeTimeFormat | undefined;
  #countries: Intl.DisplayNames | undefined;
  readonly #numbers = new Map<Intl.NumberFormatOptions, Intl.NumberFormat>();
  readonly #dates = new Map<Intl.DateTimeFormatOptions, Intl.DateTimeFormat>();

  constructor(texts: LocaleTexts, region?: string) {
    this.language = texts.language_tag ?? '';
    this.direction = texts.text_direction ?? '';
    this.#region = region ?? this.language;
    this.#texts = texts;
  }

  /** The same texts, with dates and numbers as in a region, such as `en-GB`. */
  withFormatsOf(region: string): Translator {
    return new Translator(this.#texts, region);
  }

  /** The text of a key. The substitutions replace its placeholders. */
  t<K extends VisitKey>(key: K, ...substitutions: Substitutions<K>): string {
    return fillIn(this.#texts[key] ?? '', substitutions);
  }

  /** `5` */
  number(count: number): string {
    return this.#format(COUNT, count);
  }

  /** `5 seconds` */
  seconds(seconds: number): string {
    return this.#format(SECONDS, seconds);
  }

  /** `in 90 seconds` */
  inSeconds(seconds: number): string {
    return this.#relativeFormat().format(seconds, 'second');
  }

  /** `in 42 seconds`, `in 5 minutes` */
  wait(seconds: number): string {
    return formatShortWait(this.#relativeFormat(), seconds);
  }

  /**
   * `January 31, 2030 at 12:00 PM UTC`
   *
   * @param time milliseconds since the epoch
   */
  time(time: number): string {
    return this.#dateFormat(TIME).format(time);
  }

  /** `12%` */
  percent(part: number): string {
    return this.#format(PERCENT, part);
  }

  /** The start of a period of statistics in UTC: `Friday, January 31, 2030`, `Jan 31`. */
  period(start: string, unit: Unit, length: 'long' | 'short'): string {
    return this.#dateFormat(PERIODS[length][unit]).format(new Date(start));
  }

  /** `Jan 1 – 31, 2030` @param to the end, which is not included */
  range(from: string, to: string, unit: Unit): string {
    const format = this.#dateFormat(unit === 'hour' ? PERIODS.long.hour : DATE);
    return format.formatRange(new Date(from), new Date(Date.parse(to) - 1));
  }

  /** @param code as in ISO 3166-1 */
  country(code: string): string {
    this.#countries ??= new Intl.DisplayNames(this.#region, { type: 'region' });
    return this.#countries.of(code) ?? code;
  }

  device(kind: string): string {
    const isKnown = kind === 'desktop' || kind === 'mobile' || kind === 'tablet';
    return isKnown ? this.t(`device_${kind}`) : kind;
  }

  #format(options: Intl.NumberFormatOptions, value: number): string {
    const format = this.#numbers.get(options) ?? new Intl.NumberFormat(this.#region, options);
    this.#numbers.set(options, format);
    return format.format(value);
  }

  #dateFormat(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
    const format =
      this.#dates.get(options) ??
      new Intl.DateTimeFormat(this.#region, { ...options, timeZone: 'UTC' });
    this.#dates.set(options, format);
    return format;
  }

  #relativeFormat(): Intl.RelativeTimeFormat {
    this.#relative ??= new Intl.RelativeTimeFormat(this.#region);
    return this.#relative;
  }
}

const ABOUT_LANGUAGE = new Set(['language_tag', 'text_direction']);

/** Every language by its tag, read once at startup. */
export const TRANSLATORS: ReadonlyMap<string, Translator> = new Map(
  Object.values(readLocales()).map((texts) => {
    const translator = new Translator(onlyVisitTexts(texts));
    return [translator.language, translator];
  }),
);

function onlyVisitTexts(texts: LocaleTexts): LocaleTexts {
  const shown = Object.entries(texts).filter(
    ([key]) => key.startsWith(VISIT_KEY_PREFIX) || SHARED.has(key) || ABOUT_LANGUAGE.has(key),
  );
  return Object.fromEntries(shown);
}

/** Keeps the choice of a language, and returns to the page. */
export const LANGUAGE_PATH = '/choose.language';

const DEFAULT_LANGUAGE = 'en';
/** The default comes first: it is chosen if the client accepts any language. */
const LANGUAGES = [
  DEFAULT_LANGUAGE,
  ...[...TRANSLATORS.keys()].filter((language) => language !== DEFAULT_LANGUAGE),
];

/** What readers call each language. `Intl.DisplayNames` takes ten times as long as the rest of a page. */
const NAMES = LANGUAGES.map((tag) => ({ tag, name: languageName(tag) }));

/**
 * Those whose dates have the format of a region, by language and `Accept-Language`, which few browsers
 * have different from others.
 */
const regional = new LruMap<Translator>(100);
const KNOWN_HEADER_MAX = 200;

/**
 * Chooses the language of a page: `?lang=` if the server has it, otherwise the one that the visitor has chosen,
 * otherwise the best match of `Accept-Language`, otherwise English. Dates have the format of the browser's region.
 *
 * Only pages depend on `lang`. It stays a part of the query: a link with `forwardQuery` passes it on.
 */
export function translatorFor(request: FastifyRequest): Translator {
  const { lang } = request.query as { lang?: unknown };
  const asked = [lang, chosenLanguage(request.headers.cookie ?? '')].find(isLanguage);
  const accepts = request.accepts();
  const language = asked ?? (accepts.language(LANGUAGES) || DEFAULT_LANGUAGE);
  const { 'accept-language': header = '' } = request.headers;
  const key = `${language} ${header}`;
  const known = regional.get(key);
  if (known) return known;
  const translator = TRANSLATORS.get(language) as Translator;
  const tag = header === '' ? language : regionalTag(language, accepts.languages());
  const found = tag === language ? translator : translator.withFormatsOf(tag);
  if (header.length <= KNOWN_HEADER_MAX) regional.set(key, found);
  return found;
}

export function isLanguage(value: unknown): value is string {
  return typeof value === 'string' && TRANSLATORS.has(value);
}

/** Returns the languages of pages, each with the name that its readers call it and the way to choose it. */
export function languageLinks({
  url,
}: FastifyRequest): { tag: string; name: string; href: string }[] {
  const to = encodeURIComponent(url);
  return NAMES.map(({ tag, name }) => ({
    tag,
    name,
    href: `${LANGUAGE_PATH}?lang=${tag}&to=${to}`,
  }));
}

/** Adds a request header to `Vary`. */
export function addVary(reply: FastifyReply, header: string): void {
  const present = reply.getHeader('vary');
  reply.header('vary', present === undefined ? header : `${present}, ${header}`);
}
