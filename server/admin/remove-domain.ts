import type { RemoveDomainQuery, RemoveDomainResponse } from '../../shared/admin/domains.ts';
import { type Domain, isReserved } from '../domains/short-domains.ts';
import { invalidField, ServiceError } from '../lib/service-error.ts';
import type { Authorization } from '../store/account.ts';
import { isGone, type Link } from '../store/link.ts';
import type { EditLinkOutcome, LinkPage, LinkPosition } from '../store/link-calls.ts';
import { audited } from './audit.ts';
import { findAddedDomain, unknownDomain } from './domains.ts';
import { type AllLinksDependencies, countAllLinks, isOnDomain } from './list-all-links.ts';

/** The most links that one request moves, so that it never takes long. */
const MOVED_MAX = 1000;
/** Moves that share a write. */
const TOGETHER = 50;
const REPORTED_MAX = 100;

type Report = RemoveDomainResponse['data'];
type StayedCode = Report['stayed'][number]['code'];

/**
 * Removes a domain. Its links answer 410 until it is added again, or move to another domain first: up to
 * 1,000 in one call, and the domain is removed by the last one. An interrupted move is continued by the
 * next call.
 *
 * @throws ServiceError `not_found`, `invalid_request`, `domain_in_use`
 */
export async function removeDomain(
  host: string,
  { links, to, forget }: RemoveDomainQuery,
  by: Authorization,
  dependencies: AllLinksDependencies,
): Promise<Report> {
  const { store, domains, clock } = dependencies;
  const domain = findAddedDomain(host, domains);
  if (forget) return forgetDomain(domain, { links, to }, by, dependencies);
  // Links that could not be moved are still there.
  if (domain.isRemoved && links !== 'move') throw unknownDomain(host);
  const target =
    links === 'move' || to !== undefined ? findTarget(to, domain, links, domains) : undefined;
  if (links === undefined) await assertUnused(domain, dependencies);
  const details = { links, to: target?.host };
  const entry = { action: 'domain.remove', target: domain.host, details, by } as const;
  return audited(dependencies, entry, async () => {
    const report: Report = { isRemoved: true, moved: 0, stayed: [], stayedCount: 0 };
    if (target) await moveLinks(domain, target, by, report, dependencies);
    if (report.isRemoved) await store.administration.removeDomain(domain.host, clock());
    return report;
  });
}

/**
 * Removes a domain, and deletes it. Its aliases belong to their accounts for good, so it must have none: then nobody
 * can tell it from one that was never added.
 */
async function forgetDomain(
  { host }: Domain,
  { links, to }: Omit<RemoveDomainQuery, 'forget'>,
  by: Authorization,
  dependencies: AllLinksDependencies,
): Promise<Report> {
  const { store, clock } = dependencies;
  if (links !== undefined || to !== undefined) {
    throw invalidField('forget', 'Needs a domain without links: omit links and to.');
  }
  const { administration } = store;
  const entry = { action: 'domain.remove', target: host, details: { forget: true }, by } as const;
  const assertNoAliases = async () => {
    if (await administration.hasAliases(host)) throw hasAliases(host);
  };
  await assertNoAliases();
  return audited(dependencies, entry, async () => {
    await administration.removeDomain(host, clock());
    // It gets no more.
    await assertNoAliases();
    const removed = store.domains.get(host)?.removed ?? null;
    const isForgotten = removed !== null && (await administration.forgetDomain(host, removed));
    if (!isForgotten) throw unknownDomain(host);
    return { isRemoved: true, moved: 0, stayed: [], stayedCount: 0 };
  });
}

function hasAliases(host: string): ServiceError {
  return new ServiceError(
    'domain_in_use',
    `Links on the domain "${host}" have or had aliases, which belong to their accounts for good. It can be removed, but not forgotten.`,
  );
}

function findTarget(
  to: string | undefined,
  domain: Domain,
  links: RemoveDomainQuery['links'],
  domains: AllLinksDependencies['domains'],
): Domain {
  if (links !== 'move') throw invalidField('to', 'Needs links=move.');
  const target = to === undefined ? undefined : domains.find(to);
  if (!target || target.isRemoved || target.host === domain.host) {
    throw invalidField('to', 'Must be the host of another domain of this server.');
  }
  return target;
}

async function assertUnused({ host }: Domain, dependencies: AllLinksDependencies): Promise<void> {
  const { count, isComplete } = await countAllLinks({ domain: host }, dependencies);
  if (count === 0) return;
  const links = `${isComplete ? '' : 'more than '}${count} link${count === 1 ? '' : 's'}`;
  throw new ServiceError(
    'domain_in_use',
    `The domain "${host}" has ${links}. Send links=keep, and they answer 410, or links=move with to=<host>.`,
  );
}

async function moveLinks(
  domain: Domain,
  target: Domain,
  by: Authorization,
  report: Report,
  { store, domains, clock }: AllLinksDependencies,
): Promise<void> {
  const move = async ({ id: linkId, accountId, alias: storedAlias }: Link) => {
    const { alias } = domains.split(storedAlias);
    const isPossible = target.prefix !== '' || !isReserved(alias);
    const changes = { alias: domains.qualify(target, alias) };
    const edit = { linkId, accountId, by, changes, modified: clock(), quota: null, room: null };
    const kind = isPossible ? (await store.editLink(edit)).kind : 'alias_taken';
    if (kind === 'edited') report.moved++;
    else if (report.stayedCount++ < REPORTED_MAX) {
      report.stayed.push({ shortUrl: domains.shortUrl(storedAlias), code: toCode(kind) });
    }
  };
  const all = { limit: TOGETHER, search: domain.prefix, accountId: null };
  const matches = (link: Link) =>
    isOnDomain(link, domain) && !isGone(link, store.certainTime(clock()));
  let after: LinkPosition | null = null;
  do {
    const query = { ...all, after, matches };
    const page: LinkPage = await store.listLinks(query);
    await Promise.all(page.links.map(move));
    after = page.next;
  } while (after !== null && report.moved < MOVED_MAX);
  report.isRemoved = after === null;
}

/** The others cannot be: no version is checked, and no quota. */
function toCode(kind: Exclude<EditLinkOutcome['kind'], 'edited'>): StayedCode {
  return kind === 'alias_taken' || kind === 'link_blocked' || kind === 'too_many_aliases'
    ? kind
    : 'not_found';
}
