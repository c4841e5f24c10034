import type { AccountResponse } from '../account.ts';
import { accountResponseOfAnyServer } from './older-servers.ts';
import type { Result } from './result.ts';
import type { Transport } from './transport.ts';

export function accountMethods({ callForData }: Transport) {
  return {
    /** `GET /api/account`: quota and rate limit of the token's account. */
    account(token: string): Promise<Result<AccountResponse['data']>> {
      return callForData({ path: '/api/account', token }, accountResponseOfAnyServer);
    },
  };
}
