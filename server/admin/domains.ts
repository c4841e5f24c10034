import type { z } from 'zod';
import type {
  AdminDomain,
  editDomainRequestSchema,
  newDomainRequestSchema,
} from '../../shared/admin/domains.ts';
import { brandOf, PLAIN_BRAND } from '../domains/brand.ts';
import { type Domain, type Domains, isLoopbackHost } from '../domains/short-domains.ts';
import { authorityOf, displayHost, normalizeHost, parseAuthority } from '../lib/host-name.ts';
import { assertReadOnly, isUnchanged } from '../lib/read-only.ts';
import { invalidField, ServiceError } from '../lib/service-error.ts';
import { isoTime } from '../links/to-link-record.ts';
import type { Authorization } from '../store/account.ts';
import { type DomainSettings, NO_SETTINGS } from '../store/stored-domains.ts';
import { type AuditDependencies, audited } from './audit.ts';

export type DomainDependencies = AuditDependencies & { domains: Domains };

type DomainEdit = Omit<z.output<typeof newDomainRequestSchema>, 'host'>;

const URL_FIELDS = ['rootUrl', 'notFoundUrl', 'goneUrl'] as const;
const ALIAS_FIELDS = ['notFoundUrl', 'goneUrl'] as const;

type UrlField = (typeof URL_FIELDS)[number];
/** Where visitors of a domain are sent to. */
type Page = { domain: string; field: UrlField };

/** Lists all domains: that of `BASE_URL` first, then by host. */
export function listDomains({ store, domains }: DomainDependencies): AdminDomain[] {
  const hosts = [...store.domains.keys()].sort();
  const all = hosts.flatMap((host) => domains.find(host) ?? []);
  return [domains.first, ...all].map((domain) => toAdminDomain(domain, store));
}

/**
 * Adds a domain, which is in use from the next request on. One that was removed gets its links again, and what
 * was set for it, unless the request says otherwise.
 *
 * @throws ServiceError `invalid_request`, `domain_exists`
 */
export async function addDomain(
  { host: text, ...edit }: z.output<typeof newDomainRequestSchema>,
  by: Authorization,
  dependencies: DomainDependencies,
): Promise<AdminDomain> {
  const { store, domains, clock } = dependencies;
  const host = parseAuthority(text);
  if (host === undefined) {
    const message =
      'Must be a host, such as go.example or go.example:8080, without a protocol or a path.';
    throw invalidField('host', message);
  }
  if (domains.find(host)?.isRemoved === false) throw domainExists(host);
  assertOwnHost(host, domains);
  const settings = await toSettings(edit, host, dependencies);
  const entry = { action: 'domain.add', target: host, details: toDetails(edit), by } as const;
  await audited(dependencies, entry, async () => {
    const created = store.domains.get(host)?.created ?? clock();
    const domain = { ...settings, host, created };
    if (!(await store.administration.addDomain(domain))) throw domainExists(host);
  });
  return toAdminDomain(findDomain(host, domains), store);
}

/** @throws ServiceError `invalid_request`, `not_found` */
export async function editDomain(
  text: string,
  request: z.output<typeof editDomainRequestSchema>,
  by: Authorization,
  dependencies: DomainDependencies,
): Promise<AdminDomain> {
  const { store, domains } = dependencies;
  const domain = findAddedDomain(text, domains);
  const { host } = domain;
  const { scheme, brand, rootUrl, notFoundUrl, goneUrl, accounts, ...readOnly } = request;
  const record = toAdminDomain(domain, store);
  assertReadOnly(readOnly, (field, value) => isUnchanged(field, value, record[field]));
  const edit = { scheme, brand, rootUrl, notFoundUrl, goneUrl, accounts };
  const changes = await toSettings(edit, host, dependencies);
  const entry = { action: 'domain.edit', target: host, details: toDetails(edit), by } as const;
  await audited(dependencies, entry, async () => {
    if (!(await store.administration.editDomain(host, changes))) throw unknownDomain(host);
  });
  return toAdminDomain(findDomain(host, domains), store);
}

/**
 * Finds a domain that an administrator added, also one that was removed since.
 *
 * @throws ServiceError `not_found`, `invalid_request` for that of `BASE_URL`
 */
export function findAddedDomain(host: string, domains: Domains): Domain {
  const domain = findDomain(host, domains);
  if (domain !== domains.first) return domain;
  throw invalidField(
    'host',
    'This is the domain of BASE_URL. It is changed in the settings of the server.',
  );
}

function findDomain(host: string, domains: Domains): Domain {
  const domain = domains.find(host);
  if (!domain) throw unknownDomain(host);
  return domain;
}

export function unknownDomain(host: string): ServiceError {
  return new ServiceError('not_found', `There is no domain "${host}".`);
}

function domainExists(host: string): ServiceError {
  return new ServiceError('domain_exists', `The domain "${host}" already exists.`);
}

/** Health checks and proxies ask for these, which would be answered as short links of the domain. */
function assertOwnHost(host: string, domains: Domains): void {
  const { hostname } = new URL(`http://${host}`);
  if (isLoopbackHost(normalizeHost(hostname))) {
    throw invalidField('host', 'Names this machine itself.');
  }
  if (domains.isOfFirst(host)) {
    throw invalidField('host', 'Is the host of BASE_URL, whatever the port.');
  }
}

/** What an edit changes, checked. */
async function toSettings(
  edit: DomainEdit,
  host: string,
  { store, domains }: DomainDependencies,
): Promise<Partial<DomainSettings>> {
  const { scheme, brand, accounts } = edit;
  if (brand) {
    brandOf(brand, PLAIN_BRAND, ({ part, message }) => {
      throw invalidField(`brand.${part}`, message);
    });
  }
  for (const id of accounts === 'all' ? [] : (accounts ?? [])) {
    if (await store.administration.findAccount(id)) continue;
    throw invalidField('accounts', `There is no account with the ID "${id}".`);
  }
  const urls = URL_FIELDS.flatMap((name): [UrlField, string | null][] => {
    const target = edit[name];
    if (target === undefined) return [];
    if (target && authorityOf(target.url) === host) {
      throw invalidField(name, 'Must not be on the domain itself: that would be a redirect loop.');
    }
    return [[name, target?.url.href ?? null]];
  });
  const stored = domains.find(host);
  const pages = { ...(stored?.settings ?? NO_SETTINGS), ...Object.fromEntries(urls) };
  // A domain that is added again gets its pages back, whatever has changed since.
  const changed = stored?.isRemoved ? URL_FIELDS : urls.map(([name]) => name);
  assertNoLoop(host, pages, changed, domains);
  return {
    ...(scheme !== undefined && { scheme }),
    ...(brand !== undefined && { brand }),
    ...(accounts !== undefined && {
      accounts: accounts === 'all' ? accounts : [...new Set(accounts)],
    }),
    ...Object.fromEntries(urls),
  };
}

/**
 * Pages of domains can lead to each other, but not back to where a visit has come from.
 *
 * @param settings what the domain will have
 * @param changed of these pages
 * @throws ServiceError `invalid_request`
 */
function assertNoLoop(
  host: string,
  settings: Pick<DomainSettings, UrlField>,
  changed: readonly UrlField[],
  domains: Domains,
): void {
  /** The pages that a visit of a page can be redirected by next. */
  const nextPages = ({ domain, field }: Page): Page[] => {
    const { [field]: text } = domain === host ? settings : (domains.find(domain)?.settings ?? {});
    const url = URL.parse(text ?? '');
    const authority = url ? authorityOf(url) : '';
    // One that is being added is not found yet.
    const next = authority === host ? host : domains.find(authority)?.host;
    if (!url || next === undefined || next === domains.first.host) return [];
    // Any other path is an alias, which may be unknown or gone.
    const fields = url.pathname === '/' ? (['rootUrl'] as const) : ALIAS_FIELDS;
    return fields.map((each) => ({ domain: next, field: each }));
  };
  const keyOf = ({ domain, field }: Page) => `${domain} ${field}`;
  for (const field of changed) {
    const reached = new Set<string>();
    const pages = nextPages({ domain: host, field });
    for (const page of pages) {
      // Each page is followed once: the number of ways doubles with each domain.
      if (reached.has(keyOf(page))) continue;
      reached.add(keyOf(page));
      pages.push(...nextPages(page));
    }
    if (!reached.has(keyOf({ domain: host, field }))) continue;
    throw invalidField(field, 'Leads back here by way of another domain: a redirect loop.');
  }
}

/** What was sent, without the picture. */
function toDetails({ brand, ...edit }: DomainEdit): Record<string, unknown> {
  const urls = URL_FIELDS.flatMap((name) => (edit[name] ? [[name, edit[name].text]] : []));
  const shownBrand = brand && { ...brand, logo: brand.logo && 'data:' };
  return { ...edit, brand: shownBrand, ...Object.fromEntries(urls) };
}

function toAdminDomain(
  { host, baseUrl, prefix, settings }: Domain,
  { domains }: Pick<DomainDependencies['store'], 'domains'>,
): AdminDomain {
  const { scheme, brand, rootUrl, notFoundUrl, goneUrl, accounts } = settings;
  const stored = prefix === '' ? undefined : domains.get(host);
  return {
    host,
    displayHost: displayHost(host),
    baseUrl,
    isDefault: prefix === '',
    ...{ scheme, brand, rootUrl, notFoundUrl, goneUrl },
    accounts: accounts === 'all' ? accounts : [...accounts],
    created: stored ? isoTime(stored.created) : null,
    removed: stored?.removed ? isoTime(stored.removed) : null,
  };
}
