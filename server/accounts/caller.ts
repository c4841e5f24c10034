import type { ClientAddress } from '../limits/client-ip.ts';
import type { Account, Token } from '../store/account.ts';
import { invalidToken } from '../store/rules/authorize.ts';

/** The sender of a request: anonymous, an account, or someone with an invalid Authorization header. */
export type Caller = { address: ClientAddress } & (
  | { kind: 'anonymous' }
  | { kind: 'account'; account: Account; token: string; tokenInfo: Token }
  | { kind: 'rejected' }
);

/**
 * Whom a limit counts: the account, so that an office behind one address shares nothing, else the
 * address. No account's id looks like an address: it has neither dots nor colons.
 */
export function clientKey(caller: Caller): string {
  return caller.kind === 'account' ? caller.account.id : caller.address.client;
}

/** @throws ServiceError `invalid_token`; never falls back to anonymous, or the account would lose the link */
export function assertValidToken(
  caller: Caller,
): asserts caller is Exclude<Caller, { kind: 'rejected' }> {
  if (caller.kind === 'rejected') throw invalidToken();
}
