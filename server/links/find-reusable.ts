import { definitionOf, PLAIN_NAMES } from '../../shared/links/plain-fields.ts';
import type { ParsedShortenRequest } from '../../shared/links/shorten-request.ts';
import type { Domain, Domains } from '../domains/short-domains.ts';
import { type Link, linkStatus } from '../store/link.ts';
import type { Store } from '../store/store.ts';
import { toSameFields } from './to-link-record.ts';

type ReuseDependencies = {
  store: Pick<Store, 'listLinks'>;
  blocks: { isBlocked(link: Link): boolean };
  domains: Pick<Domains, 'split'>;
};

const namesCompared = (when: 'if_sent' | 'never') =>
  new Set<string>(PLAIN_NAMES.filter((name) => definitionOf(name).comparedForReuse === when));
const ONLY_IF_SENT = namesCompared('if_sent');
const NEVER = namesCompared('never');

/** Known of the new link besides its request. */
type Resolved = Pick<Link, 'accountId' | 'startsAt' | 'expiresAt'> & { domain: Domain };

/**
 * Finds the account's newest link that does what a request asks for: same target, domain and options, and it works.
 * Alias, title, description and tags count only if the request names them, the private title never. Nobody can see
 * whether a password is the same, so a link with one is not reused.
 */
export async function findReusable(
  request: ParsedShortenRequest,
  { accountId, domain, ...times }: Resolved,
  now: number,
  { store, blocks, domains }: ReuseDependencies,
): Promise<Link | undefined> {
  if (request.password !== undefined) return undefined;
  const { text: originalUrl } = request.originalUrl;
  const wanted: Partial<Record<keyof Link, unknown>> = {
    // Nor does anybody know here what a newer version has made of a link.
    ...{ originalUrl, passwordHash: null, newerFields: null },
    ...toSameFields(request),
    ...times,
  };
  const compared = (Object.keys(wanted) as (keyof Link)[]).filter(
    (name) =>
      !NEVER.has(name) && (!ONLY_IF_SENT.has(name) || (wanted[name] ?? undefined) !== undefined),
  );
  const matches = (link: Link) => {
    const status = linkStatus(link, now, blocks);
    const { domain: ofLink, alias } = domains.split(link.alias);
    return (
      (status === 'active' || status === 'scheduled') &&
      ofLink === domain &&
      alias.toLowerCase() === (request.customAlias ?? alias).toLowerCase() &&
      compared.every((name) => toText(link[name]) === toText(wanted[name]))
    );
  };
  const page = await store.listLinks({
    ...{ accountId, limit: 1, after: null },
    ...{ originalUrl, isDeleted: false, matches },
  });
  return page.links[0];
}

/** Every default value is an empty one. */
function toText(value: unknown): string {
  const isEmpty = !value || (Array.isArray(value) && value.length === 0);
  return isEmpty ? '' : JSON.stringify(value);
}
