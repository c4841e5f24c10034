import type { FastifyInstance, FastifyRequest } from 'fastify';
import { TITLE_MAX_CHARACTERS } from '../../shared/bounds.ts';
import { editRequestSchema } from '../../shared/links/edit-request.ts';
import { knownDomain } from '../domains/short-domains.ts';
import { parseInput } from '../lib/parse-input.ts';
import { ServiceError } from '../lib/service-error.ts';
import { editLink } from '../links/manage/edit-link.ts';
import { deleteLink } from '../links/manage/own-link.ts';
import { toLinkRecord } from '../links/to-link-record.ts';
import type { Link } from '../store/link.ts';
import { createWithKey } from './create.ts';
import type { KeyCall } from './key-call.ts';
import { findLink } from './links.ts';
import {
  type Parameters,
  readBody,
  readDomain,
  readQuery,
  rejectCutUrl,
  textOf,
  toBoolean,
  toTitle,
} from './parameters.ts';
import type { ShlinkDependencies, Sign } from './shlink-call.ts';
import {
  invalidData,
  noSingleVisits,
  notProvided,
  ProblemError,
  shortUrlNotFound,
} from './shlink-errors.ts';
import { listShortUrls } from './shlink-list.ts';
import { toShortUrl } from './shlink-shapes.ts';

type OfCode = { Params: { code: string } };

/** Of a new link, in a query. */
const PARAMETERS = new Set(
  'apiKey crawlable customSlug domain findIfExists format forwardQuery longUrl maxVisits pathPrefix shortCodeLength tags title validSince validUntil validateUrl'.split(
    ' ',
  ),
);

/** Registers the endpoints of short URLs. */
export function shortUrlRoutes(
  app: FastifyInstance,
  dependencies: ShlinkDependencies,
  sign: Sign,
): void {
  const { domains } = dependencies;
  const toShape = (link: Link) => toShortUrl(link, domains);

  app.post('/short-urls', async (request, reply) => {
    const key = await sign(request, reply, 'create');
    return toShape(await create(await readBody(request), key));
  });

  // With the key in the query, for programs that only fill in an address.
  app.get('/short-urls/shorten', { exposeHeadRoute: false }, async (request, reply) => {
    const query = readQuery(request);
    rejectCutUrl(request, 'longUrl', Object.keys(query), PARAMETERS);
    const key = await sign(request, reply, 'create', textOf(query.apiKey) ?? null);
    const shape = toShape(await create(query, key));
    const accepted = request.headers.accept?.split(',')[0] ?? '';
    const format = textOf(query.format) ?? (accepted.includes('text/plain') ? 'txt' : 'json');
    return format === 'txt' ? reply.type('text/plain; charset=utf-8').send(shape.shortUrl) : shape;
  });

  app.get('/short-urls', async (request, reply) => {
    const key = await sign(request, reply, 'read');
    return { shortUrls: await listShortUrls(request, key, dependencies) };
  });

  app.get<OfCode>('/short-urls/:code', async (request, reply) => {
    const key = await sign(request, reply, 'read');
    return toShape(await find(request, key));
  });

  app.patch<OfCode>('/short-urls/:code', async (request, reply) => {
    const key = await sign(request, reply, 'edit');
    const { alias } = await find(request, key);
    const changes = parseInput(editRequestSchema, toEdit(await readBody(request)));
    const toRecord = (link: Link) => ({
      ...toLinkRecord(link, dependencies, dependencies.clock()),
      ...{ authToken: '', isReused: false },
    });
    return toShape(await editLink({ ...key, alias }, changes, toRecord, dependencies));
  });

  app.delete<OfCode>('/short-urls/:code', async (request, reply) => {
    const key = await sign(request, reply, 'edit');
    const { alias } = await find(request, key);
    await deleteLink({ ...key, alias }, dependencies);
    return reply.code(204).send();
  });

  for (const method of ['GET', 'POST'] as const) {
    app.route<OfCode>({
      method,
      url: '/short-urls/:code/redirect-rules',
      exposeHeadRoute: false,
      handler: async (request, reply) => {
        await find(request, await sign(request, reply, 'read'));
        throw notProvided(`Edit rules in the dashboard: ${domains.first.baseUrl}/dashboard`);
      },
    });
  }

  for (const method of ['GET', 'DELETE'] as const) {
    app.route<OfCode>({
      method,
      url: '/short-urls/:code/visits',
      exposeHeadRoute: false,
      handler: async (request, reply) => {
        await find(request, await sign(request, reply, 'read'));
        throw noSingleVisits(domains.first.baseUrl);
      },
    });
  }

  async function create(sent: Parameters, key: KeyCall): Promise<Link> {
    if (textOf(sent.pathPrefix) !== undefined) {
      throw invalidData('pathPrefix', 'Aliases have no slash, so there is no path before them.');
    }
    const host = readDomain(sent.domain);
    const customAlias = textOf(sent.customSlug);
    const request = {
      originalUrl: textOf(sent.longUrl),
      customAlias,
      domain: host,
      startsAt: textOf(sent.validSince),
      expiresAt: textOf(sent.validUntil),
      maxVisits: toNumber(sent.maxVisits),
      tags: toTags(sent.tags),
      title: toTitle(sent.title, TITLE_MAX_CHARACTERS),
      forwardQuery: toBoolean(sent.forwardQuery) ?? true,
      reuse: toBoolean(sent.findIfExists),
    };
    try {
      const { record } = await createWithKey(key, request, dependencies.shorten);
      const domain = knownDomain(record.domain, domains);
      return await findLink(key, domains.qualify(domain, record.alias), dependencies);
    } catch (error) {
      throw toSlugProblem(error, customAlias, host);
    }
  }

  async function find({ params, query }: FastifyRequest<OfCode>, key: KeyCall): Promise<Link> {
    const host = readDomain((query as Parameters).domain);
    try {
      const alias = domains.qualify(knownDomain(host, domains), params.code);
      return await findLink(key, alias, dependencies);
    } catch (error) {
      const isUnknown =
        error instanceof ServiceError && ['not_found', 'invalid_domain'].includes(error.code);
      throw isUnknown ? shortUrlNotFound(params.code, host) : error;
    }
  }
}

/** Absent fields stay as they are, and so do those that can't be empty. */
function toEdit(sent: Parameters): Record<string, unknown> {
  const edit = {
    originalUrl: textOf(sent.longUrl),
    startsAt: orNull(sent.validSince, textOf),
    expiresAt: orNull(sent.validUntil, textOf),
    maxVisits: orNull(sent.maxVisits, toNumber),
    tags: toTags(sent.tags),
    title: sent.title === undefined ? undefined : (toTitle(sent.title, TITLE_MAX_CHARACTERS) ?? ''),
    forwardQuery: toBoolean(sent.forwardQuery),
  };
  return Object.fromEntries(Object.entries(edit).filter(([, value]) => value !== undefined));
}

function orNull(value: unknown, read: (value: unknown) => unknown): unknown {
  return value === null || value === '' ? null : read(value);
}

/** What is no number stays as it is, so that the schema of links says so. */
function toNumber(value: unknown): unknown {
  const text = textOf(value);
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : text;
}

/** @returns undefined for null; one text is a list with commas */
function toTags(value: unknown): unknown {
  if (typeof value !== 'string') return value ?? undefined;
  return value.split(',').filter((tag) => tag.trim() !== '');
}

function toSlugProblem(error: unknown, customSlug: string | undefined, domain?: string): unknown {
  if (!(error instanceof ServiceError) || error.code !== 'alias_taken') return error;
  return new ProblemError({
    ...{ status: 400, code: 'non-unique-slug', title: 'Invalid custom slug' },
    detail: `Provided slug "${customSlug}" is already in use. ${error.message}`,
    customSlug,
    ...(domain !== undefined && { domain }),
  });
}
