import { DOMAIN_MAX_CHARACTERS } from '../../shared/bounds.ts';
import { readShortUrl } from '../../shared/links/short-url.ts';
import { authorityOf, displayHost, normalizeHost, parseAuthority } from '../lib/host-name.ts';
import { invalidField, type ServiceError } from '../lib/service-error.ts';
import type { Account } from '../store/account.ts';
import type { Store } from '../store/store.ts';
import {
  allowsAccount,
  type DomainSettings,
  NO_SETTINGS,
  type StoredDomain,
} from '../store/stored-domains.ts';

/** More than that are sent by somebody who makes them up. */
const CACHED_MAX = 1000;

/**
 * The hosts that `Host` headers name, normalized: with their port, without it, and without `www.`, which people type
 * and some programs add. Parsing takes longer than the rest of a look-up, and the same few are sent with each
 * request, as by proxies and health checks.
 */
export class HostHeaders {
  readonly #parsed = new Map<string, readonly string[]>();

  get size(): number {
    return this.#parsed.size;
  }

  parse(header: string): readonly string[] {
    if (header.length > DOMAIN_MAX_CHARACTERS) return [];
    let hosts = this.#parsed.get(header);
    if (!hosts) {
      const named = [header, header.replace(/:\d+$/, '')].map(parseAuthority);
      const known = named.filter((host) => host !== undefined);
      hosts = [...new Set([...known, ...known.map(withoutWww)])];
      if (this.#parsed.size === CACHED_MAX) this.#parsed.clear();
      this.#parsed.set(header, hosts);
    }
    return hosts;
  }
}

function withoutWww(host: string): string {
  return host.replace(/^www\./, '');
}

/** A host that short URLs start with. */
export type Domain = Readonly<{
  /** With its port, unless that is a standard one: `go.example`. */
  host: string;
  /** An origin: `https://go.example`. */
  baseUrl: string;
  /** What its aliases begin with in the store: `go.example/`, or nothing for the domain of `BASE_URL`. */
  prefix: string;
  settings: DomainSettings;
  /** Its links answer 410, and nobody can create any. */
  isRemoved: boolean;
}>;

/** The domain of `BASE_URL`, which is always there, and those that administrators add. */
export class Domains {
  readonly #store: Pick<Store, 'domains'>;
  readonly #baseUrl: () => string;
  readonly #known = new WeakMap<StoredDomain, Domain>();
  readonly #headers = new HostHeaders();
  #address: PublicAddress | undefined;
  #first: Domain | undefined;
  /** Its host as `parseAuthority` returns it. */
  #firstAuthority: string | undefined;

  /** @param baseUrl a function, because `PORT=0` gets its port only on listening */
  constructor(store: Pick<Store, 'domains'>, baseUrl: () => string) {
    this.#store = store;
    this.#baseUrl = baseUrl;
  }

  get publicAddress(): PublicAddress {
    this.#address ??= new PublicAddress(this.#baseUrl());
    return this.#address;
  }

  /** The domain of `BASE_URL`. */
  get first(): Domain {
    this.#first ??= this.#newFirst();
    return this.#first;
  }

  /** Whether there has never been another domain. */
  get isSingle(): boolean {
    return this.#store.domains.size === 0;
  }

  /**
   * The domain of a `Host` header: the one with its port, or else the one without a port, or without `www.`. That of
   * `BASE_URL` if the host is unknown.
   */
  ofHost(header: string | undefined): Domain {
    if (this.isSingle || header === undefined) return this.first;
    const exact = this.#named(header);
    if (exact) return exact;
    for (const host of this.#headers.parse(header)) {
      const domain = this.#named(host);
      if (domain) return domain;
    }
    return this.first;
  }

  /** The domain with this host, in whatever spelling; also a removed one. */
  find(host: string): Domain | undefined {
    return this.#named(host) ?? this.#named(parseAuthority(host) ?? '');
  }

  /** Whether a host is that of `BASE_URL`, on whatever port. */
  isOfFirst(name: string): boolean {
    return this.publicAddress.isNamedBy(name);
  }

  /** Whether there is a domain with this host, on whatever port, or without `www.`: certificates are for all of them. */
  hasHost(name: string): boolean {
    return this.#headers.parse(name).some((host) => {
      if (this.find(host) || this.isOfFirst(host)) return true;
      return [...this.#store.domains.keys()].some((each) => each.startsWith(`${host}:`));
    });
  }

  /** Whether a URL points to one of the domains: a link to it would be a redirect loop. */
  contains(url: URL): boolean {
    return this.publicAddress.contains(url) || this.#store.domains.has(authorityOf(url));
  }

  /** The domains of short URLs that the account may create, that of `BASE_URL` first. */
  usableBy(accountId: string | undefined): Domain[] {
    const stored = [...this.#store.domains.values()].map((each) => this.#toDomain(each));
    return [this.first, ...stored].filter((domain) => isUsableBy(domain, accountId));
  }

  /** The domain of links that name none. @param account undefined for a new one */
  defaultOf(account: Pick<Account, 'id' | 'domain'> | undefined): Domain {
    if (account?.domain === undefined) return this.first;
    const domain = this.find(account.domain);
    return domain && isUsableBy(domain, account.id) ? domain : this.first;
  }

  /** The alias as the store has it. */
  qualify(domain: Domain, alias: string): string {
    return domain.prefix + alias;
  }

  /** The domain and the alias of an alias in the store. */
  split(storedAlias: string): { domain: Domain; alias: string } {
    const slash = storedAlias.indexOf('/');
    if (slash === -1) return { domain: this.first, alias: storedAlias };
    const host = storedAlias.slice(0, slash);
    // Another server may have added it within the last second.
    const domain = this.find(host) ?? this.#newDomain(host, NO_SETTINGS, false);
    return { domain, alias: storedAlias.slice(slash + 1) };
  }

  shortUrl(storedAlias: string): string {
    const { domain, alias } = this.split(storedAlias);
    // V8 keeps what a template makes in parts, and then takes three times as long to write it as JSON.
    return [domain.baseUrl, alias].join('/');
  }

  /** The short URL as people read it, without its protocol. */
  shortAddress(storedAlias: string): string {
    const { domain, alias } = this.split(storedAlias);
    return `${displayHost(domain.host)}/${alias}`;
  }

  /** @param host as `parseAuthority` returns it: in any other spelling, it may not be found */
  #named(host: string): Domain | undefined {
    const { first } = this;
    if (host === first.host || host === this.#firstAuthority) return first;
    const stored = this.#store.domains.get(host);
    return stored && this.#toDomain(stored);
  }

  #toDomain(stored: StoredDomain): Domain {
    let domain = this.#known.get(stored);
    if (!domain) {
      domain = this.#newDomain(stored.host, stored, stored.removed !== null);
      this.#known.set(stored, domain);
    }
    return domain;
  }

  #newDomain(host: string, settings: DomainSettings, isRemoved: boolean): Domain {
    const { baseUrl } = this.first;
    const scheme = settings.scheme ?? baseUrl.slice(0, baseUrl.indexOf(':'));
    return { host, baseUrl: `${scheme}://${host}`, prefix: `${host}/`, settings, isRemoved };
  }

  #newFirst(): Domain {
    const { host, baseUrl } = this.publicAddress;
    this.#firstAuthority = parseAuthority(host);
    return { host, baseUrl, prefix: '', settings: NO_SETTINGS, isRemoved: false };
  }
}

/** @param accountId undefined for a new account */
export function isUsableBy(domain: Domain, accountId: string | undefined): boolean {
  return !domain.isRemoved && allowsAccount(domain.settings, accountId);
}

/** Hosts that mean this machine itself, normalized, and those of `/etc/hosts`. */
const LOOPBACK =
  /^(localhost|.+\.localhost|localhost\.localdomain|ip6-(localhost|loopback)|127(\.\d+){3}|0\.0\.0\.0|\[::1?\])$/;

/** The public address of this server, which short URLs start with. Parsed once for all links. */
export class PublicAddress {
  /** An origin: `https://s.example`. */
  readonly baseUrl: string;
  /** Host and port: `s.example`. */
  readonly host: string;
  readonly #authority: string;

  constructor(baseUrl: string) {
    const url = new URL(baseUrl);
    this.baseUrl = baseUrl;
    this.host = url.host;
    this.#authority = normalizeAuthority(url);
  }

  /**
   * Whether a URL points to this server's own host and port: a link to it would be a redirect loop.
   * Ports 80 and 443 count as one because servers redirect between them. So do all loopback names.
   */
  contains(url: URL): boolean {
    return normalizeAuthority(url) === this.#authority;
  }

  /** Whether a `Host` header names this server's host. Any port will do, because proxies omit it. */
  isNamedBy(header = ''): boolean {
    // Parsing a long international host would take long.
    if (header.length > DOMAIN_MAX_CHARACTERS) return false;
    const url = URL.parse(`http://${header}`);
    return url !== null && hostKey(url) === hostKey(new URL(this.baseUrl));
  }
}

function normalizeAuthority(url: URL): string {
  return authorityOf({ hostname: hostKey(url), port: url.port });
}

function hostKey({ hostname }: URL): string {
  const host = normalizeHost(hostname);
  return isLoopbackHost(host) ? 'localhost' : host;
}

/** @param host normalized, without a port */
export function isLoopbackHost(host: string): boolean {
  return LOOPBACK.test(host);
}

/** How many domains an error message names. */
const SHOWN_MAX = 10;

/**
 * Returns the domain that a request for a new link names.
 *
 * @param accountId undefined for a new account
 * @throws ServiceError `invalid_domain`, also for one that only others can use, so that nobody learns of it
 */
export function usableDomain(
  host: string,
  accountId: string | undefined,
  domains: Domains,
): Domain {
  const domain = domains.find(host);
  if (domain && isUsableBy(domain, accountId)) return domain;
  const usable = domains.usableBy(accountId).map((each) => each.host);
  const shown = usable.slice(0, SHOWN_MAX).join(', ') + (usable.length > SHOWN_MAX ? ' …' : '');
  throw invalidDomain(`Must be a domain that the account can use: ${shown}.`);
}

/** The domain can no longer be used, although it could when the request began. */
export function domainUnusable(host: string): ServiceError {
  return invalidDomain(`The account can no longer use the domain ${host}.`);
}

/**
 * Returns the domain of links that exist, which may have been removed since.
 *
 * @param host undefined: that of `BASE_URL`
 * @throws ServiceError `invalid_domain`
 */
export function knownDomain(host: string | undefined, domains: Domains): Domain {
  const domain = host === undefined ? domains.first : domains.find(host);
  if (domain) return domain;
  throw invalidDomain('Must be a domain of this server, such as go.example.');
}

function invalidDomain(message: string): ServiceError {
  return invalidField('domain', message, 'invalid_domain');
}

/**
 * Returns the alias in the store that a text means: an alias on the domain, or with the host of another domain in
 * front, such as `go.example/sale`.
 */
export function toStoredAlias(text: string, domain: Domain, domains: Domains): string {
  const slash = text.lastIndexOf('/');
  if (slash === -1) return domains.qualify(domain, text);
  const named = domains.find(text.slice(0, slash));
  return named ? domains.qualify(named, text.slice(slash + 1)) : text;
}

/** Returns the reverse: an alias in the store, as it is shown for a link of the domain. */
export function toShownAlias(storedAlias: string, domain: Domain, domains: Domains): string {
  const { domain: own, alias } = domains.split(storedAlias);
  return own.host === domain.host ? alias : `${own.host}/${alias}`;
}

/** Returns the alias in the store, in lower case, that a short URL on one of the domains means. */
export function storedAliasOf(shortUrl: string | undefined, domains: Domains): string | undefined {
  const { host, alias } = (shortUrl && readShortUrl(shortUrl)) || {};
  const domain = host === undefined ? undefined : domains.find(host);
  return domain && domains.qualify(domain, alias ?? '').toLowerCase();
}

/**
 * First path segments that the server uses or may use, and `/api/links/export`. Those with a dot are
 * never valid aliases.
 */
export const RESERVED_ALIASES = ['api', 'assets', 'dashboard', 'export'];

/** @param alias also with a domain in front, as the store has it */
export function isReserved(alias: string): boolean {
  return RESERVED_ALIASES.includes(alias.slice(alias.lastIndexOf('/') + 1).toLowerCase());
}
