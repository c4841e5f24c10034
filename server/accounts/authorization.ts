import type { Authorization, TokenOwner } from '../store/account.ts';
import { authorize } from '../store/rules/authorize.ts';
import type { Store } from '../store/store.ts';

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

/** The same with what the store knows of a token now. @throws ServiceError see `authorize` */
export async function assertStillAuthorized(by: Authorization, store: Store): Promise<void> {
  if (by.kind === 'token') assertAuthorized(by, (await store.findToken(by.tokenHash)) ?? {}, store);
}
