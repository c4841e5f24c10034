import { cleanAddress } from '../clean-address.ts';
import type { AddressPlan, Settings } from '../messages.ts';

export type PlanOptions = {
  /** The user wants the address as it is, whatever the settings say. @default false */
  keepsTracking?: boolean | undefined;
};

/** What a link of an address is to lead to, by the settings. */
export function planAddress(
  fullAddress: string,
  { cleanAddresses }: Settings,
  { keepsTracking = false }: PlanOptions = {},
): AddressPlan {
  if (!cleanAddresses || keepsTracking) return { address: fullAddress, fullAddress, removed: [] };
  const { address, names } = cleanAddress(fullAddress);
  return { address, fullAddress, removed: names };
}
