import type { FastifyInstance, FastifyRequest } from 'fastify';
import { invalidField, ServiceError, withIssue } from '../lib/service-error.ts';

/** What a request has by name, wherever its API has it. */
export type Parameters = Readonly<Record<string, unknown>>;

/** Takes bodies of any type, so that handlers can read them as other servers do: see `readBody`. */
export function acceptAnyBody(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
}

/** @returns the last value of each name; a value that is no text has no place in a query */
export function readQuery({ query }: FastifyRequest): Parameters {
  const sent = Object.entries(query as Record<string, string | string[]>);
  return Object.fromEntries(sent.map(([name, value]) => [name, [value].flat().at(-1)]));
}

const FORM = /^(?:application\/x-www-form-urlencoded|multipart\/form-data)\b/i;

/**
 * Reads a form, whether urlencoded or multipart, or else JSON, whatever the `Content-Type`: some clients send JSON as
 * text. A list in a form is `name[]`. Files are ignored.
 *
 * @throws ServiceError `invalid_request`, `invalid_json`
 */
export async function readBody({ body, headers }: FastifyRequest): Promise<Parameters> {
  const { 'content-type': type = '' } = headers;
  if (!Buffer.isBuffer(body) || body.length === 0) return {};
  return FORM.test(type) ? readForm(body, type) : readJson(body);
}

async function readForm(body: Buffer, type: string): Promise<Parameters> {
  let form: FormData;
  try {
    form = await new Response(new Uint8Array(body), {
      headers: { 'content-type': type },
    }).formData();
  } catch {
    throw new ServiceError('invalid_request', 'The body is not a complete form.');
  }
  const values = new Map<string, unknown>();
  for (const [name, value] of form) {
    if (typeof value !== 'string') continue;
    const list = LIST_NAME.exec(name)?.[1];
    if (list === undefined) values.set(name, value);
    else values.set(list, [...((values.get(list) as string[] | undefined) ?? []), value]);
  }
  return Object.fromEntries(values);
}

function readJson(body: Buffer): Parameters {
  let json: unknown;
  try {
    json = JSON.parse(body.toString());
  } catch {
    throw new ServiceError('invalid_json', 'The body is not valid JSON.');
  }
  if (json !== null && typeof json === 'object' && !Array.isArray(json)) return json as Parameters;
  throw new ServiceError('invalid_json', 'The body must be a JSON object.');
}

const URLENCODED = /^application\/x-www-form-urlencoded\b/i;

/**
 * A URL that was not encoded ends at its first `&`: the link would lead somewhere else. Whoever encodes a URL as a
 * value encodes its question mark, too.
 *
 * @param names of what was sent
 * @param known the parameters of the API
 * @throws ServiceError `invalid_request`
 */
export function rejectCutUrl(
  { url, body, headers }: FastifyRequest,
  urlName: 'url' | 'longUrl',
  names: string[],
  known: ReadonlySet<string>,
): void {
  const form = URLENCODED.test(headers['content-type'] ?? '') ? String(body ?? '') : '';
  const rest = names.find((name) => !known.has(name));
  if (rest === undefined || !new RegExp(`[?&]${urlName}=[^&]*\\?`).test(`${url}&${form}`)) return;
  const message = `The URL is not encoded, so it ends before "&${rest}". Write "%26" for "&".`;
  throw withIssue('originalUrl', message);
}

/** A list in a query or form: `tags[]` or `tags[0]`. */
const LIST_NAME = /^(.+)\[\d*\]$/;

/** More are made up, and each would be compared with the tags of all links. */
const LIST_MAX = 100;

/** Reads a list in a query, such as `tags[]=a&tags[]=b`. @throws ServiceError `invalid_request` */
export function readList({ query }: FastifyRequest, name: string): string[] {
  const values = Object.entries(query as Record<string, string | string[]>)
    .filter(([key]) => key === name || LIST_NAME.exec(key)?.[1] === name)
    .flatMap(([, each]) => each);
  if (values.length > LIST_MAX) throw invalidField(name, `Must be at most ${LIST_MAX} values.`);
  return values;
}

/** @returns undefined also for null and an empty text, which clients send for what is not set */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Shortens what others allow to be longer, and makes one line of it. */
export function toTitle(value: unknown, maxCharacters: number): string | undefined {
  const line = textOf(value)
    ?.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
  return line ? [...line].slice(0, maxCharacters).join('') : undefined;
}

/** @returns undefined for the domain of the server, which is also `DEFAULT` */
export function readDomain(value: unknown): string | undefined {
  const host = textOf(value);
  return host === 'DEFAULT' ? undefined : host;
}

const BOOLEANS = new Map<string | undefined, boolean>([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

/** @returns another text as it is, so that the schema of links says what is wrong with it */
export function toBoolean(value: unknown): unknown {
  const text = textOf(value);
  return BOOLEANS.get(text) ?? text;
}
