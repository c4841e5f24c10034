import { eachExactField } from '../../../shared/links/fields.ts';
import type { LinkFilter } from '../../../shared/links/link-list.ts';
import type { BlockList } from '../../blocks/block-list.ts';
import { knownDomain } from '../../domains/named-domain.ts';
import { storedAliasOf } from '../../domains/short-address.ts';
import type { ShortDomains } from '../../domains/short-domains.ts';
import type { Clock } from '../../lib/clock.ts';
import type { LinkConditions } from '../../store/link.ts';
import { aliasesOf } from '../../store/rules/aliases.ts';
import { statusOf } from '../to-link-record.ts';
import { isOutdated } from './own-link.ts';

export type FilterDependencies = { clock: Clock; blocks: BlockList; domains: ShortDomains };

/** How each filter of a request asks the store: one that is not here does not compile. */
export type Filters<Filter> = {
  [K in keyof Filter]-?: (
    value: NonNullable<Filter[K]>,
    dependencies: FilterDependencies,
  ) => LinkConditions;
};

/** Throws ServiceError `invalid_domain`. */
export const LINK_FILTERS: Filters<LinkFilter> = {
  q: (q, { domains }) => {
    const named = storedAliasOf(q, domains);
    if (named === undefined) return { search: q };
    return { search: named, matches: (link) => aliasesOf(link).includes(named) };
  },
  tag: (tag) => ({ tag }),
  domain: (host, { domains }) => {
    const domain = knownDomain(host, domains);
    // Stores find a domain as the beginning of an alias.
    return {
      search: domain.prefix,
      matches: ({ alias }) => domains.split(alias).domain === domain,
    };
  },
  status: (status, dependencies) => {
    const now = dependencies.clock();
    return {
      isDeleted: status === 'deleted',
      matches: (link) => !isOutdated(link, now) && statusOf(link, now, dependencies) === status,
    };
  },
  ...eachExactField((name) => (value) => ({ [name]: value })),
};

/** The conditions of all filters that are given. Deleted links pass only if one asks for them. */
export function toConditions<Filter extends object>(
  filters: Filters<Filter>,
  given: Filter,
  dependencies: FilterDependencies,
): LinkConditions {
  const names = Object.keys(filters) as (keyof Filter)[];
  const parts = names.flatMap((name) => {
    const value = given[name];
    return value ? [filters[name](value, dependencies)] : [];
  });
  const searches = parts.flatMap(({ search }) => search || []);
  const tests = parts.flatMap(({ matches }) => matches ?? []);
  return {
    ...Object.assign({ isDeleted: false }, ...parts),
    search: searches.join(' '),
    matches: tests.length > 0 ? (link) => tests.every((passes) => passes(link)) : undefined,
  };
}
