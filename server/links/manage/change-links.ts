import pLimit from 'p-limit';
import { LIST_LIMIT_DEFAULT, TAGS_MAX } from '../../../shared/bounds.ts';
import type { BulkChange, BulkQuery, BulkResponse } from '../../../shared/links/bulk.ts';
import { foldTag } from '../../../shared/text.ts';
import { toStoredAlias } from '../../domains/short-domains.ts';
import { invalidField, ServiceError } from '../../lib/service-error.ts';
import type { Account } from '../../store/account.ts';
import type { Link } from '../../store/link.ts';
import type { LinkChanges } from '../../store/link-calls.ts';
import { predicatesOf } from '../../store/lists/link-filter.ts';
import { markUndone } from '../transfer/import-status.ts';
import { aliasChange, type EditLinkDependencies, expiryChange } from './edit-link.ts';
import {
  countLinks,
  LINK_FILTERS,
  type ListDependencies,
  readLinkCursor,
  toConditions,
  toLinkCursor,
} from './list-links.ts';
import { editOwnLink, type LinkCall, linkDeleted, type OwnLinkDependencies } from './own-link.ts';

export type ChangeLinksDependencies = OwnLinkDependencies &
  ListDependencies &
  Pick<EditLinkDependencies, 'aliasAnswers'>;

/** Edits that share a write in a folder. In a database, each of them waits for the others, but not for long. */
const TOGETHER = 10;
/** What is wrong with one link, and not with the request. */
const OF_LINK = new Set<ServiceError['code']>([
  'not_found',
  'link_gone',
  'invalid_request',
  'alias_taken',
  'link_blocked',
  'too_many_aliases',
  'too_many_tags',
]);

const FILTER_NAMES = Object.keys(LINK_FILTERS)
  .map((name) => `\`${name}\``)
  .join(', ');

type Caller = Pick<LinkCall, 'address' | 'by'> & {
  account: LinkCall['account'] & Pick<Account, 'undoneImports'>;
};
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
  if (aliases ? isFiltered || all : isFiltered === all) throw unclear();
  if (aliases) {
    if (dryRun) return { data: nothing(aliases.length), nextCursor: null };
    const { domains } = dependencies;
    const toStored = (alias: string) => toStoredAlias(alias, domains.first, domains);
    const data = await changeEach(aliases, toStored, change, caller, dependencies);
    return { data, nextCursor: null };
  }
  const { after } = cursor === undefined ? { after: null } : readLinkCursor('created', cursor);
  const own = { accountId: caller.account.id, ...conditions };
  if (dryRun) {
    const { count } = await countLinks(own, dependencies);
    return { data: nothing(count), nextCursor: null };
  }
  if (change.isDeleted && asked.importId) {
    await markUndone(caller.account, asked.importId, dependencies);
  }
  const { links, next } = await dependencies.store.listLinks({ ...own, after, limit });
  const found = links.map(({ alias }) => alias);
  // As they are in the store: what they begin with may have become the host of `BASE_URL`.
  const data = await changeEach(found, (alias) => alias, change, caller, dependencies);
  return { data, nextCursor: next && toLinkCursor('created', { after: next }) };
}

async function changeEach(
  aliases: string[],
  toStored: (alias: string) => string,
  change: BulkChange,
  caller: Caller,
  dependencies: ChangeLinksDependencies,
): Promise<Changed['data']> {
  const data = nothing(aliases.length);
  const { expiresAt, domain } = change;
  if (expiresAt !== undefined || domain !== undefined) data.replaced = [];
  const now = dependencies.clock();
  const changeOne = async (alias: string) => {
    let before: Link | undefined;
    const edit = () =>
      editOwnLink(
        { ...caller, alias: toStored(alias) },
        async (link) => {
          const changes = toChanges(link, change, now);
          if (domain !== undefined) {
            const moved = await aliasChange(link, { domain }, caller, dependencies);
            if (moved.alias !== link.alias) Object.assign(changes, moved);
          }
          assertNotDeleted(link, changes);
          before = Object.keys(changes).length > 0 ? link : undefined;
          return before && changes;
        },
        dependencies,
      );
    try {
      // Whether an alias is free on another domain tells something about others.
      await (domain === undefined ? edit() : dependencies.aliasAnswers.ask(caller, edit));
      if (!before) return;
      data.changed.push(alias);
      data.replaced?.push({
        alias,
        expiresAt: before.expiresAt === null ? null : new Date(before.expiresAt).toISOString(),
        domain: dependencies.domains.split(before.alias).domain.host,
      });
    } catch (error) {
      if (!(error instanceof ServiceError) || !OF_LINK.has(error.code)) throw error;
      const { code, message } = error;
      data.failed.push({ alias, code, message });
    }
  };
  await pLimit(TOGETHER).map(aliases, changeOne);
  return data;
}

/**
 * All changes but that of the domain; none if the link is so already.
 *
 * @throws ServiceError `expires_in_past`, `invalid_request`
 */
function toChanges(link: Link, change: BulkChange, now: number): LinkChanges {
  const { isActive = link.isActive, isDeleted, expiresAt } = change;
  const changes: LinkChanges = expiryChange(link, { expiresAt }, {}, now);
  if (changes.expiresAt === link.expiresAt) delete changes.expiresAt;
  if (isDeleted !== undefined && isDeleted !== (link.deletedAt !== null)) {
    changes.deletedAt = isDeleted ? now : null;
  }
  if (isActive !== link.isActive) changes.isActive = isActive;
  const tags = changedTags(link.tags, change);
  if (tags) changes.tags = tags;
  return changes;
}

/** @throws ServiceError `link_gone` if a link would change that is deleted, and stays so */
function assertNotDeleted(link: Link, changes: LinkChanges): void {
  const { deletedAt = link.deletedAt, ...others } = changes;
  if (link.deletedAt !== null && deletedAt !== null && Object.keys(others).length > 0) {
    throw linkDeleted();
  }
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
