import { cleanAddress } from '../clean-address.ts';
import type { AddressPlan, SecretWarning, Settings } from '../messages.ts';
import { type PageRefusal, refusalOf } from '../page-address.ts';
import { findSecrets } from '../secrets.ts';

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
