import { findSecrets } from '../../address/find-secrets.ts';
import { cleanAddress } from '../../address/strip-tracking.ts';
import { type PageRefusal, refusalOf } from '../../address/unsupported-page.ts';
import type { AddressPlan, MadeLink, SecretWarning, Settings } from '../../messaging/protocol.ts';
import { askForOwnAddress } from './read-page-urls.ts';

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
): AddressPlan | { refusal: PageRefusal } {
  if (!fullAddress) return { refusal: 'page_without_address' };
  const { address, names } =
    settings.cleanAddresses && !keepsTracking
      ? cleanAddress(fullAddress)
      : { address: fullAddress, names: [] };
  const refusal = refusalOf(address, settings.serverOrigin);
  const warning = settings.warnOfSecrets ? warningOf(address, settings, refusal) : undefined;
  if (refusal && !warning) return { refusal };
  return { address, fullAddress, removed: names, ...(warning && { warning }) };
}

/** The same for the page of a tab, which may name an address or a short link of its own. */
export async function planPage(
  tabAddress: string | undefined,
  tabId: number | undefined,
  settings: Settings,
): Promise<AddressPlan | { refusal: PageRefusal }> {
  const plan = planAddress(tabAddress, settings);
  if (!tabAddress || 'refusal' in plan || tabId === undefined || !settings.preferPageAddress) {
    return plan;
  }
  const { address, shortLink } = await askForOwnAddress(tabId, tabAddress);
  const own = address === undefined ? plan : planAddress(address, settings);
  const used = 'refusal' in own ? plan : own;
  return {
    ...used,
    ...(used.address !== plan.address && { tabAddress }),
    ...(shortLink && { ownLink: ownLinkOf(shortLink, used.address) }),
  };
}

function ownLinkOf(shortUrl: string, originalUrl: string): MadeLink {
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
  refusal: PageRefusal | undefined,
): SecretWarning | undefined {
  const found = findSecrets(address);
  if (!found) return undefined;
  if (!refusal) return { ...found, mustGo: false };
  const canGo = found.without !== undefined && !refusalOf(found.without, serverOrigin);
  return canGo ? { ...found, mustGo: true } : undefined;
}
