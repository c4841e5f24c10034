export type DomainBrand = { name: string | null; logo: string | null; color: string | null };

/** What administrators set for a domain. */
export type DomainSettings = {
  /** Null: that of `BASE_URL`. */
  scheme: 'http' | 'https' | null;
  /** Null: that of the server. */
  brand: DomainBrand | null;
  /** Where `/` leads. Null: the domain's plain page. */
  rootUrl: string | null;
  /** Where unknown aliases lead. Null: the 404 page. */
  notFoundUrl: string | null;
  /** Where links lead that have expired, for example. Null: the 410 page. */
  goneUrl: string | null;
  /** Ids of the accounts that may use it. */
  accounts: 'all' | readonly string[];
};

export const NO_SETTINGS: DomainSettings = {
  scheme: null,
  brand: null,
  rootUrl: null,
  notFoundUrl: null,
  goneUrl: null,
  accounts: 'all',
};

/** @param accountId undefined for a new account */
export function allowsAccount(
  { accounts }: Pick<DomainSettings, 'accounts'>,
  accountId: string | undefined,
): boolean {
  return accounts === 'all' || (accountId !== undefined && accounts.includes(accountId));
}

/** What is set of a domain that is added. What is not is as it was, if it was removed before. */
export type NewDomain = Partial<DomainSettings> & Pick<StoredDomain, 'host' | 'created'>;

/** Another domain than that of `BASE_URL`. */
export type StoredDomain = DomainSettings & {
  /** As `parseAuthority` returns it. */
  host: string;
  /** Milliseconds since the epoch, UTC. */
  created: number;
  /**
   * Milliseconds since the epoch, UTC; null if it is in use. A removed domain stays until it is forgotten: its
   * aliases belong to their accounts for good, so its host must never lead to those of another domain.
   */
  removed: number | null;
};

/**
 * All domains by host, also removed ones. Operators make few, so that every driver has them in memory; one
 * that shares its data with other processes reads them again when they change. A change replaces the object.
 */
export type StoredDomains = ReadonlyMap<string, StoredDomain>;
