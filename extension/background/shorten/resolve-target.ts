import { findSecrets } from '../../address/find-secrets.ts';
import { cleanAddress } from '../../address/strip-tracking.ts';
import { failureOf, type UnsupportedReason } from '../../address/unsupported-page.ts';
import type {
  AddressPlan,
  LinkSummary,
  SecretWarning,
  Settings,
} from '../../messaging/protocol.ts';
import { readCanonicalUrl } from './read-page-urls.ts';

export type PlanOptions = {
  /** The user wants the address as it is, whatever the settings say. @default false */
  keepsTracking?: boolean | undefined;
};

/**
 * What a link of an address is to lead to, by the settings, or why there can be none. An address
 * that is refused for its secret alone, as one with a password before the host, is planned with a
 * warning: it can be shortened without it.
 */
export function planAddress(
  fullAddress: string | undefined,
  settings: Settings,
  { keepsTracking = false }: PlanOptions = {},
): AddressPlan | { failure: UnsupportedReason } {
  if (!fullAddress) return { failure: 'page_without_address' };
  const { address, names } =
    settings.stripTracking && !keepsTracking
      ? cleanAddress(fullAddress)
      : { address: fullAddress, names: [] };
  const failure = failureOf(address, settings.serverOrigin);
  const warning = settings.warnAboutSecrets ? warningOf(address, settings, failure) : undefined;
  if (failure && !warning) return { failure };
  return { address, fullAddress, removed: names, ...(warning && { warning }) };
}

/** The same for the page of a tab, which may name an address or a short link of its own. */
export async function planPage(
  tabAddress: string | undefined,
  tabId: number | undefined,
  settings: Settings,
): Promise<AddressPlan | { failure: UnsupportedReason }> {
  const plan = planAddress(tabAddress, settings);
  if (!tabAddress || 'failure' in plan || tabId === undefined || !settings.preferCanonical) {
    return plan;
  }
  const { address, shortLink } = await readCanonicalUrl(tabId, tabAddress);
  const own = address === undefined ? plan : planAddress(address, settings);
  const used = 'failure' in own ? plan : own;
  return {
    ...used,
    ...(used.address !== plan.address && { tabAddress }),
    ...(shortLink && { ownLink: ownLinkOf(shortLink, used.address) }),
  };
}

function ownLinkOf(shortUrl: string, originalUrl: string): LinkSummary {
  return {
    shortUrl,
    originalUrl,
    title: '',
    created: new Date().toISOString(),
    expiresAt: null,
    hasPassword: false,
    waitTimerSeconds: 0,
  };
}

function warningOf(
  address: string,
  { serverOrigin }: Settings,
  failure: UnsupportedReason | undefined,
): SecretWarning | undefined {
  const found = findSecrets(address);
  if (!found) return undefined;
  if (!failure) return { ...found, mustGo: false };
  const canGo = found.without !== undefined && !failureOf(found.without, serverOrigin);
  return canGo ? { ...found, mustGo: true } : undefined;
}
