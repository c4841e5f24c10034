import { fillIn } from '../../../shared/i18n/fill-in.ts';
import { formatShortWait } from '../../../shared/i18n/format-time.ts';
import type { MessageKey, Substitutions } from '../../../shared/i18n/translate.ts';
import {
  type LocaleTexts,
  readLocales,
  VISIT_KEY_PREFIX,
} from '../../../shared/locales/read-locales.ts';

/** A text of a page for visitors. */
export type VisitKey = Extract<MessageKey, `${typeof VISIT_KEY_PREFIX}${string}`>;

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
  #number: Intl.NumberFormat | undefined;
  #seconds: Intl.NumberFormat | undefined;
  #relative: Intl.RelativeTimeFormat | undefined;
  #time: Intl.DateTimeFormat | undefined;

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
    this.#number ??= new Intl.NumberFormat(this.#region);
    return this.#number.format(count);
  }

  /** `5 seconds` */
  seconds(seconds: number): string {
    this.#seconds ??= new Intl.NumberFormat(this.#region, {
      style: 'unit',
      unit: 'second',
      unitDisplay: 'long',
    });
    return this.#seconds.format(seconds);
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
    this.#time ??= new Intl.DateTimeFormat(this.#region, {
      year: 'numeric',
      month: 'long',
      day: 'numeric',
      hour: 'numeric',
      minute: '2-digit',
      timeZone: 'UTC',
      timeZoneName: 'short',
    });
    return this.#time.format(time);
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
    ([key]) => key.startsWith(VISIT_KEY_PREFIX) || ABOUT_LANGUAGE.has(key),
  );
  return Object.fromEntries(shown);
}
