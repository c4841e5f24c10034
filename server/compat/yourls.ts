import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { TITLE_MAX_CHARACTERS } from '../../shared/bounds.ts';
import type { ErrorCode } from '../../shared/errors.ts';
import { parseTarget } from '../../shared/links/original-url.ts';
import { ServiceError } from '../lib/service-error.ts';
import type { Shortener } from '../links/create-link.ts';
import type { ListDependencies } from '../links/manage/list-links.ts';
import type { Link } from '../store/link.ts';
import { ERROR_STATUS, toServiceError } from '../web/plugins/errors.ts';
import { createWithKey } from './create.ts';
import { type Action, acceptKey, type KeyCall, type KeyDependencies } from './key-call.ts';
import { findLink, LISTED_MAX, listFromStart, storedAlias, totalsOf } from './links.ts';
import {
  type Parameters,
  readBody,
  readQuery,
  rejectCutUrl,
  textOf,
  toTitle,
} from './parameters.ts';
import { type Output, sendOutput } from './yourls-output.ts';

/** The version of the API. Some programs need one to be there. */
const VERSION = '1.10.4';
const NOT_FOUND = 'Error: short URL not found';

export type YourlsDependencies = KeyDependencies & ListDependencies & { shorten: Shortener };

type Call = { sent: Parameters; key: KeyCall; dependencies: YourlsDependencies };

/** What each action does, and what its key must allow. */
const ACTIONS = new Map<string, { needs: Action; run: (call: Call) => Promise<Output> }>([
  ['shorturl', { needs: 'create', run: shortUrl }],
  ['expand', { needs: 'read', run: expand }],
  ['url-stats', { needs: 'read', run: urlStats }],
  ['stats', { needs: 'read', run: stats }],
  ['db-stats', { needs: 'read', run: dbStats }],
  ['version', { needs: 'read', run: version }],
]);

/**
 * Registers `/yourls-api.php` with the six actions of YOURLS. The key is `signature`, or `password` with any name.
 *
 * @see https://yourls.org/docs/guide/advanced/passwordless-api
 */
export async function yourlsRoutes(app: FastifyInstance, dependencies: YourlsDependencies) {
  app.route({
    method: ['GET', 'POST'],
    url: '/yourls-api.php',
    // A GET creates links.
    exposeHeadRoute: false,
    handler: async (request, reply) => {
      let sent = readQuery(request);
      try {
        sent = { ...sent, ...(await readBody(request)) };
        rejectCutUrl(request, 'url', Object.keys(sent), PARAMETERS);
        return sendOutput(reply, formatOf(sent), await answer(request, reply, sent, dependencies));
      } catch (error) {
        return sendOutput(
          reply,
          formatOf(sent),
          toFailure(error, request, reply, sent, dependencies),
        );
      }
    },
  });
}

function formatOf({ format }: Parameters): string | undefined {
  const name = textOf(format);
  return name === 'jsonp' ? 'json' : name;
}

async function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  sent: Parameters,
  dependencies: YourlsDependencies,
): Promise<Output> {
  if (textOf(sent.format) === 'jsonp') {
    throw new ServiceError('invalid_request', 'JSONP is not supported. Send format=json.');
  }
  const action = ACTIONS.get(textOf(sent.action) ?? '');
  const key = readKey(sent);
  const call = await acceptKey(request, reply, key, action?.needs ?? 'read', dependencies);
  if (!action) throw new ServiceError('invalid_request', 'Unknown or missing "action" parameter');
  return action.run({ sent, key: call, dependencies });
}

const PARAMETERS = new Set(
  'action callback filter format hash keyword limit password shorturl signature start timestamp title url username'.split(
    ' ',
  ),
);
/** @throws ServiceError `invalid_token` for a signature of a time, since the server has no key to check it with */
function readKey({ signature, password, timestamp }: Parameters): string | undefined {
  const key = textOf(signature) ?? textOf(password);
  if (timestamp !== undefined && key !== undefined && !key.startsWith('curt_')) {
    throw new ServiceError(
      'invalid_token',
      'Time-limited signatures are not supported: send the sign-in key as signature.',
    );
  }
  return key;
}

async function shortUrl({ sent, key, dependencies }: Call): Promise<Output> {
  const customAlias = textOf(sent.keyword);
  const { record, isReused } = await createWithKey(
    key,
    {
      originalUrl: textOf(sent.url),
      customAlias,
      title: toTitle(sent.title, TITLE_MAX_CHARACTERS),
      reuse: customAlias === undefined,
    },
    dependencies.shorten,
  );
  const { alias, originalUrl: url, shortUrl: shorturl } = record;
  const title = record.title || url;
  const created = Date.parse(record.created);
  return {
    status: 200,
    simple: shorturl,
    fields: {
      url: { keyword: alias, url, title, date: toDate(created), ip: '' },
      status: 'success',
      code: '',
      message: isReused ? `${url} already exists in database` : `${url} added to database`,
      errorCode: '',
      title,
      shorturl,
      statusCode: '200',
    },
  };
}

async function expand({ sent, key, dependencies }: Call): Promise<Output> {
  const shorturl = textOf(sent.shorturl) ?? '';
  const link = await findNamed(shorturl, key, dependencies);
  if (!link) {
    const fields = { keyword: shorturl, message: NOT_FOUND, errorCode: '404' };
    return { status: 404, simple: 'not found', fields };
  }
  const { domains } = dependencies;
  return {
    status: 200,
    simple: link.originalUrl,
    fields: {
      keyword: domains.split(link.alias).alias,
      shorturl: domains.shortUrl(link.alias),
      longurl: link.originalUrl,
      title: link.title || link.originalUrl,
      message: 'success',
      statusCode: '200',
    },
  };
}

async function urlStats({ sent, key, dependencies }: Call): Promise<Output> {
  const link = await findNamed(textOf(sent.shorturl) ?? '', key, dependencies);
  if (!link) {
    const fields = { statusCode: '404', message: NOT_FOUND, errorCode: '404' };
    return { status: 404, simple: NOT_FOUND, fields };
  }
  const fields = { statusCode: '200', message: 'success', link: toRow(link, dependencies) };
  return { status: 200, simple: String(link.hits), fields };
}

const SORTS = new Map([
  ['top', 'visits'],
  ['last', 'created'],
] as const);

async function stats({ sent, key, dependencies }: Call): Promise<Output> {
  const filter = textOf(sent.filter) ?? 'top';
  const sort = SORTS.get(filter as 'top');
  if (!sort) {
    throw new ServiceError('invalid_request', 'Curt lists links by "top" or "last" only.');
  }
  const start = wholeNumber(sent.start);
  const end = Math.min(start + wholeNumber(sent.limit), LISTED_MAX);
  const { links } = await listFromStart(key, { sort }, end, dependencies);
  const rows = links.slice(start).map((link) => toRow(link, dependencies));
  const named = Object.fromEntries(rows.map((row, index) => [`link_${index + 1}`, row]));
  const totals = await toTotals(key, dependencies);
  return {
    status: 200,
    simple: `${totals.total_links} links, ${totals.total_clicks} clicks`,
    fields: {
      ...(rows.length > 0 && { links: named }),
      stats: totals,
      statusCode: '200',
      message: 'success',
    },
  };
}

async function dbStats({ key, dependencies }: Call): Promise<Output> {
  const totals = await toTotals(key, dependencies);
  return {
    status: 200,
    simple: `${totals.total_links} links, ${totals.total_clicks} clicks`,
    fields: { 'db-stats': totals, statusCode: '200', message: 'success' },
  };
}

async function version(): Promise<Output> {
  return { status: 200, simple: VERSION, fields: { version: VERSION } };
}

async function toTotals(key: KeyCall, dependencies: YourlsDependencies) {
  const { links, visits } = await totalsOf(key, dependencies);
  return { total_links: links, total_clicks: visits };
}

async function findNamed(
  shorturl: string,
  key: KeyCall,
  dependencies: YourlsDependencies,
): Promise<Link | undefined> {
  try {
    return await findLink(key, storedAlias(shorturl, dependencies), dependencies);
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'not_found') return undefined;
    throw error;
  }
}

function toRow(link: Link, { domains }: YourlsDependencies) {
  return {
    shorturl: domains.shortUrl(link.alias),
    url: link.originalUrl,
    title: link.title || link.originalUrl,
    timestamp: toDate(link.created),
    // No address is stored.
    ip: '',
    clicks: String(link.hits),
  };
}

/** As PHP's `intval` for what clients send: 0 for everything that is no whole number. */
function wholeNumber(value: unknown): number {
  const text = textOf(value) ?? '';
  return /^\d{1,9}$/.test(text) ? Number(text) : 0;
}

/** Such as `2026-07-31 09:12:05`, in UTC. */
function toDate(time: number): string {
  return new Date(time).toISOString().slice(0, 19).replace('T', ' ');
}

const KEY_CODES = ['token_required', 'invalid_token'];

function toFailure(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  sent: Parameters,
  dependencies: YourlsDependencies,
): Output {
  const { code, message, details } = toServiceError(error, request);
  const { retryAfterSeconds } = details;
  if (retryAfterSeconds !== undefined) reply.header('retry-after', retryAfterSeconds);
  if (KEY_CODES.includes(code)) {
    return { status: 403, simple: message, fields: { message, errorCode: '403', callback: '' } };
  }
  const status = String(toStatus(code));
  if (textOf(sent.action) !== 'shorturl') {
    const fields = { statusCode: status, message, errorCode: status };
    return { status: Number(status), simple: message, fields };
  }
  return {
    status: Number(status),
    // Programs that read plain text would take any for a short URL.
    simple: '',
    fields: {
      status: 'fail',
      code: toYourlsCode(
        code,
        details.issues?.[0]?.path,
        code === 'invalid_url' && isOwnUrl(sent.url, dependencies),
      ),
      message,
      errorCode: status,
      statusCode: status,
    },
  };
}

/** `error:concurrency` is 503 there; an error of the store is 500. */
function toStatus(code: ErrorCode): number {
  return code === 'alias_taken' ? 400 : ERROR_STATUS[code];
}

const CODES: { [code in ErrorCode]?: string } = {
  invalid_url: 'error:nourl',
  alias_taken: 'error:keyword',
  internal: 'error:db',
  busy: 'error:concurrency',
  store_unavailable: 'error:concurrency',
};

function toYourlsCode(code: ErrorCode, path: string | undefined, isLoop: boolean): string {
  if (isLoop) return 'error:noloop';
  if (path === 'originalUrl' && code === 'invalid_request') return 'error:nourl';
  if (path === 'customAlias') return 'error:keyword';
  return CODES[code] ?? `error:${code}`;
}

/** Whether the URL is a short one, which the error of the use case says in words only. */
function isOwnUrl(value: unknown, { domains }: YourlsDependencies): boolean {
  const parsed = parseTarget(textOf(value) ?? '');
  return parsed.ok && domains.contains(parsed.url);
}
