import type { FastifyReply, FastifyRequest } from 'fastify';
import { LruMap } from 'toad-cache';
import { chosenLanguage, languageName } from '../../../shared/i18n/language-choice.ts';
import { regionalTag } from '../../../shared/i18n/regional-tag.ts';
import { TRANSLATORS, type Translator } from './translator.ts';

/** Keeps the choice of a language, and returns to the page. */
export const LANGUAGE_PATH = '/choose.language';

const DEFAULT_LANGUAGE = 'en';
/** The default comes first: it is chosen if the client accepts any language. */
const LANGUAGES = [
  DEFAULT_LANGUAGE,
  ...[...TRANSLATORS.keys()].filter((language) => language !== DEFAULT_LANGUAGE),
];

/** Those of which dates have the format of a region, most recently used last. */
const regional = new LruMap<Translator>(100);

/**
 * The language of a page: `?lang=` if the server has it, otherwise the one that the visitor has chosen,
 * otherwise the best match of `Accept-Language`, otherwise English. Dates have the format of the
 * browser's region.
 *
 * Only pages depend on `lang`. It stays a part of the query: a link with `forwardQuery` passes it on.
 */
export function translatorFor(request: FastifyRequest): Translator {
  const { lang } = request.query as { lang?: unknown };
  const asked = [lang, chosenLanguage(request.headers.cookie ?? '')].find(isLanguage);
  const accepts = request.accepts();
  const language = asked ?? (accepts.language(LANGUAGES) || DEFAULT_LANGUAGE);
  const translator = TRANSLATORS.get(language) as Translator;
  const tag = regionalTag(language, accepts.languages());
  if (tag === language) return translator;
  const known = regional.get(tag) ?? translator.withFormatsOf(tag);
  regional.set(tag, known);
  return known;
}

export function isLanguage(value: unknown): value is string {
  return typeof value === 'string' && TRANSLATORS.has(value);
}

/** The languages of pages, each with the name that its readers call it and the way to choose it. */
export function languageLinks({
  url,
}: FastifyRequest): { tag: string; name: string; href: string }[] {
  return LANGUAGES.map((tag) => ({
    tag,
    name: languageName(tag),
    href: `${LANGUAGE_PATH}?${new URLSearchParams({ lang: tag, to: url })}`,
  }));
}

/** Adds a request header to `Vary`. */
export function addVary(reply: FastifyReply, header: string): void {
  const present = reply.getHeader('vary');
  reply.header('vary', present === undefined ? header : `${present}, ${header}`);
}
