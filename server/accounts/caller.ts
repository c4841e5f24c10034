import type { ClientAddress } from '../limits/client-address.ts';
import type { Account, Authorization, Token, TokenOwner } from '../store/account.ts';
import { authorize, invalidToken } from '../store/rules/authorize.ts';
import type { Store } from '../store/store.ts';

/** The sender of a request: anonymous, an account, or someone with an invalid Authorization header. */
export type Caller = { address: ClientAddress } & (
  | { kind: 'anonymous' }
  | { kind: 'account'; account: Account; token: string; tokenInfo: Token }
  | { kind: 'rejected' }
);

/**
 * Returns whom a limit counts: the account, so that an office behind one address shares nothing, else the address.
 * No account's id looks like an address: it has neither dots nor colons.
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

/**
 * Checks what a request was accepted by. Changes are checked again by the store.
 *
 * @param owner as found now; neither if its token is not valid any more
 * @throws ServiceError see `authorize`
 */
export function assertAuthorized(
  by: Authorization,
  { account, token }: Partial<TokenOwner>,
  { blocks }: Pick<Store, 'blocks'>,
): void {
  const block = account && blocks.account.get(account.id);
  const error = authorize(by, { token, account, block });
  if (error) throw error;
}

/** Does the same with what the store knows of a token now. @throws ServiceError see `authorize` */
export async function assertStillAuthorized(by: Authorization, store: Store): Promise<void> {
  if (by.kind === 'token') assertAuthorized(by, (await store.findToken(by.tokenHash)) ?? {}, store);
}
