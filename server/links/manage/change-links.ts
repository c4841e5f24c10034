import pLimit from 'p-limit';
import { LIST_LIMIT_DEFAULT, TAGS_MAX } from '../../../shared/limits.ts';
import type { BulkChange, BulkQuery, BulkResponse } from '../../../shared/links/bulk.ts';
import { foldTag } from '../../../shared/text.ts';
import { toStoredAlias } from '../../domains/short-address.ts';
import { invalidField } from '../../lib/invalid-field.ts';
import { ServiceError } from '../../lib/service-error.ts';
import type { Link, LinkChanges } from '../../store/link.ts';
import { predicatesOf } from '../../store/records/link-filter.ts';
import { readCursor, toCursor } from './link-cursor.ts';
import { LINK_FILTERS, toConditions } from './link-filters.ts';
import type { ListDependencies } from './list-links.ts';
import { editOwnLink, type LinkCall, type OwnLinkDependencies } from './own-link.ts';

export type ChangeLinksDependencies = OwnLinkDependencies & ListDependencies;

/** Edits that share a write in a folder. In a database, each of them waits for the others, but not for long. */
const TOGETHER = 10;
/** What is wrong with one link, and not with the request. */
const OF_LINK = new Set<ServiceError['code']>(['not_found', 'link_gone', 'invalid_request']);

const FILTER_NAMES = Object.keys(LINK_FILTERS)
  .map((name) => `\`${name}\``)
  .join(', ');

type Caller = Pick<LinkCall, 'account' | 'address' | 'by'>;
type Changed = Pick<BulkResponse, 'data' | 'nextCursor'>;

/**
 * Changes links of an account: those that are named, or a page of those that match the filter, newest
 * first. Each change is on disk by itself, so the request can be repeated after a failure.
 *
 * @throws ServiceError `invalid_request`, and see `authorize`
 */
export async function changeLinks(
  caller: Caller,
  query: BulkQuery,
  { aliases, ...change }: BulkChange,
  dependencies: ChangeLinksDependencies,
): Promise<Changed> {
  const { limit = LIST_LIMIT_DEFAULT, cursor, all, dryRun, ...filter } = query;
  const conditions = toConditions(LINK_FILTERS, filter, dependencies);
  const { isDeleted: _, ...asked } = conditions;
  // What the store is not asked for is no filter: all links would pass.
  const isFiltered = predicatesOf(asked).length > 0;
  if (aliases ? isFiltered || all : isFiltered === (all === 'true')) throw unclear();
  if (aliases) {
    if (dryRun === 'true') return { data: nothing(aliases.length), nextCursor: null };
    const { domains } = dependencies;
    const toStored = (alias: string) => toStoredAlias(alias, domains.first, domains);
    const data = await changeEach(aliases, toStored, change, caller, dependencies);
    return { data, nextCursor: null };
  }
  const { after } = cursor === undefined ? { after: null } : readCursor('created', cursor);
  const own = { accountId: caller.account.id, ...conditions, after };
  if (dryRun === 'true') {
    const countUpTo = Number.POSITIVE_INFINITY;
    const { total } = await dependencies.store.listLinks({
      ...own,
      after: null,
      limit: 1,
      countUpTo,
    });
    return { data: nothing(total?.count ?? 0), nextCursor: null };
  }
  const { links, next } = await dependencies.store.listLinks({ ...own, limit });
  const found = links.map(({ alias }) => alias);
  // As they are in the store: what they begin with may have become the host of `BASE_URL`.
  const data = await changeEach(found, (alias) => alias, change, caller, dependencies);
  return { data, nextCursor: next && toCursor('created', { after: next }) };
}

async function changeEach(
  aliases: string[],
  toStored: (alias: string) => string,
  change: BulkChange,
  caller: Caller,
  dependencies: OwnLinkDependencies,
): Promise<Changed['data']> {
  const data = nothing(aliases.length);
  const now = dependencies.clock();
  const changeOne = async (alias: string) => {
    let changes: LinkChanges | undefined;
    try {
      await editOwnLink(
        { ...caller, alias: toStored(alias) },
        (link) => {
          changes = toChanges(link, change, now);
          return changes;
        },
        dependencies,
      );
      if (changes) data.changed.push(alias);
    } catch (error) {
      if (!(error instanceof ServiceError) || !OF_LINK.has(error.code)) throw error;
      const { code, message } = error;
      data.failed.push({ alias, code, message });
    }
  };
  await pLimit(TOGETHER).map(aliases, changeOne);
  return data;
}

/** @returns undefined if the link is so already @throws ServiceError `link_gone`, `invalid_request` */
function toChanges(link: Link, change: BulkChange, now: number): LinkChanges | undefined {
  const { isActive = link.isActive, isDeleted } = change;
  const changes: LinkChanges = {};
  if (isDeleted !== undefined && isDeleted !== (link.deletedAt !== null)) {
    changes.deletedAt = isDeleted ? now : null;
  }
  if (isActive !== link.isActive) changes.isActive = isActive;
  const tags = changedTags(link.tags, change);
  if (tags) changes.tags = tags;
  const { deletedAt = link.deletedAt, ...others } = changes;
  if (link.deletedAt !== null && deletedAt !== null && Object.keys(others).length > 0) {
    throw new ServiceError('link_gone', 'The link is deleted. Restore it first.');
  }
  return Object.keys(changes).length > 0 ? changes : undefined;
}

function changedTags(
  before: string[],
  { addTags = [], removeTags = [] }: BulkChange,
): string[] | undefined {
  const removed = removeTags.map(foldTag);
  const kept = before.filter((tag) => !removed.includes(foldTag(tag)));
  const folded = kept.map(foldTag);
  const added = addTags.filter((tag) => !folded.includes(foldTag(tag)));
  if (added.length === 0) return kept.length < before.length ? kept : undefined;
  if (kept.length + added.length > TAGS_MAX) {
    throw invalidField('addTags', `A link can have at most ${TAGS_MAX} tags.`);
  }
  return [...kept, ...added];
}

function nothing(matched: number): Changed['data'] {
  return { matched, changed: [], failed: [] };
}

function unclear(): ServiceError {
  return invalidField(
    'all',
    `Send \`aliases\`, or a filter (${FILTER_NAMES}), or \`all=true\` for all links that are not deleted.`,
  );
}
