import type { FastifyReply, FastifyRequest } from 'fastify';
import { TRANSLATORS, type Translator } from './translator.ts';

const DEFAULT_LANGUAGE = 'en';
/** The default comes first: it is chosen if the client accepts any language. */
const LANGUAGES = [
  DEFAULT_LANGUAGE,
  ...[...TRANSLATORS.keys()].filter((language) => language !== DEFAULT_LANGUAGE),
];

/**
 * The language of a page: `?lang=` if the server has it, otherwise the best match of
 * `Accept-Language`, otherwise English.
 *
 * Only pages depend on `lang`. It stays a part of the query: a link with `forwardQuery` passes it on.
 */
export function translatorFor(request: FastifyRequest): Translator {
  const { lang } = request.query as { lang?: unknown };
  const language =
    typeof lang === 'string' && TRANSLATORS.has(lang)
      ? lang
      : request.accepts().language(LANGUAGES) || DEFAULT_LANGUAGE;
  return TRANSLATORS.get(language) as Translator;
}

/** Adds a request header to `Vary`. */
export function addVary(reply: FastifyReply, header: string): void {
  const present = reply.getHeader('vary');
  reply.header('vary', present === undefined ? header : `${present}, ${header}`);
}
