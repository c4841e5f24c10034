import type { FastifyRequest } from 'fastify';
import { foldTag } from '../../shared/text.ts';
import type { Link } from '../store/link.ts';
import type { KeyCall } from './key-call.ts';
import { LISTED_MAX, listFromStart, type Wanted } from './links.ts';
import {
  type Parameters,
  readDomain,
  readList,
  readQuery,
  textOf,
  toBoolean,
} from './parameters.ts';
import type { ShlinkDependencies } from './shlink-call.ts';
import { invalidData } from './shlink-errors.ts';
import { type Page, toPage, toShortUrl } from './shlink-shapes.ts';

const ITEMS_DEFAULT = 10;

/** The orders that the store has. Others are made of all links. */
const STORE_ORDERS = new Map<string, NonNullable<Wanted['sort']>>([
  ['dateCreated-DESC', 'created'],
  ['visits-DESC', 'visits'],
  ['nonBotVisits-DESC', 'visits'],
  ['shortCode-ASC', 'alias'],
]);

type Compare = (one: Link, other: Link) => number;

const by =
  <V extends string | number>(read: (link: Link) => V): Compare =>
  (one, other) => {
    const [a, b] = [read(one), read(other)];
    return a < b ? -1 : a > b ? 1 : 0;
  };

const ORDERS = new Map<string, Compare>([
  ['dateCreated', by(({ created }) => created)],
  ['visits', by(({ hits }) => hits)],
  ['nonBotVisits', by(({ hits }) => hits)],
  ['shortCode', by(({ alias }) => alias.toLowerCase())],
  ['longUrl', by(({ originalUrl }) => originalUrl)],
  ['title', by(({ title }) => title.toLowerCase())],
]);

/** A page of short URLs, the newest first. */
export async function listShortUrls(
  request: FastifyRequest,
  key: KeyCall,
  dependencies: ShlinkDependencies,
) {
  const query = readQuery(request);
  const page = readPage(query);
  const order = textOf(query.orderBy) ?? 'dateCreated-DESC';
  const sort = STORE_ORDERS.get(order);
  const wanted: Wanted = {
    q: textOf(query.searchTerm),
    domain: toHost(query.domain, dependencies),
    sort,
    matches: toTest(request, query, dependencies.clock()),
  };
  const start = (page.page - 1) * page.itemsPerPage;
  const end = Math.min(start + page.itemsPerPage, LISTED_MAX);
  if (start >= LISTED_MAX)
    throw invalidData('page', `Only ${LISTED_MAX} short URLs can be listed.`);
  const compare = sort === undefined ? readOrder(order) : undefined;
  const limit = compare ? LISTED_MAX : end;
  const { links, total } = await listFromStart(key, wanted, limit, dependencies);
  if (compare) {
    if (total > LISTED_MAX) {
      throw invalidData(
        'orderBy',
        `More than ${LISTED_MAX} short URLs can't be listed in this order.`,
      );
    }
    links.sort(compare);
  }
  const shapes = links.slice(start, end).map((link) => toShortUrl(link, dependencies.domains));
  return toPage(shapes, total, page);
}

/** @param itemsDefault -1: all */
export function readPage(
  { page, itemsPerPage }: Parameters,
  itemsDefault: number = ITEMS_DEFAULT,
): Page {
  const items = toNumber(itemsPerPage) ?? itemsDefault;
  return { page: Math.max(1, toNumber(page) ?? 1), itemsPerPage: items < 1 ? LISTED_MAX : items };
}

function toNumber(value: unknown): number | undefined {
  const text = textOf(value) ?? '';
  return /^-?\d{1,6}$/.test(text) ? Number(text) : undefined;
}

function toHost(value: unknown, { domains }: ShlinkDependencies): string | undefined {
  // No domain is all domains, so that of the server is named.
  return textOf(value) === 'DEFAULT' ? domains.first.host : readDomain(value);
}

function readOrder(order: string): Compare {
  const [field = '', direction = 'ASC'] = order.split('-');
  const compare = ORDERS.get(field);
  if (!compare || !/^(?:ASC|DESC)$/.test(direction)) {
    throw invalidData(
      'orderBy',
      `Must be one of ${[...ORDERS.keys()].join(', ')}, with -ASC or -DESC.`,
    );
  }
  return direction === 'ASC' ? compare : (one, other) => compare(other, one);
}

/** What the store isn't asked for. @returns undefined if nothing is */
function toTest(
  request: FastifyRequest,
  query: Parameters,
  now: number,
): ((link: Link) => boolean) | undefined {
  const tags = readList(request, 'tags').map(foldTag);
  const excluded = readList(request, 'excludeTags').map(foldTag);
  const matchesAll = textOf(query.tagsMode) === 'all';
  const excludesAll = textOf(query.excludeTagsMode) === 'all';
  const [from, to] = [readTime(query, 'startDate'), readTime(query, 'endDate')];
  const tests: ((link: Link) => boolean)[] = [];
  if (tags.length > 0) tests.push((link) => hasTags(link, tags, matchesAll));
  if (excluded.length > 0) tests.push((link) => !hasTags(link, excluded, excludesAll));
  if (from !== undefined) tests.push(({ created }) => created >= from);
  if (to !== undefined) tests.push(({ created }) => created <= to);
  if (toBoolean(query.excludeMaxVisitsReached) === true) {
    tests.push(({ maxVisits, hits }) => maxVisits === null || hits < maxVisits);
  }
  if (toBoolean(query.excludePastValidUntil) === true) {
    tests.push(({ expiresAt }) => expiresAt === null || expiresAt > now);
  }
  return tests.length === 0 ? undefined : (link) => tests.every((passes) => passes(link));
}

function hasTags(link: Link, tags: string[], all: boolean): boolean {
  const own = link.tags.map(foldTag);
  return all ? tags.every((tag) => own.includes(tag)) : tags.some((tag) => own.includes(tag));
}

function readTime(query: Parameters, name: string): number | undefined {
  // A plus that was not encoded is a space.
  const text = textOf(query[name])?.replace(' ', '+');
  if (text === undefined) return undefined;
  const time = Date.parse(text);
  if (Number.isNaN(time)) throw invalidData(name, 'Must be a time in ISO 8601.');
  return time;
}
