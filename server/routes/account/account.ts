import type { FastifyInstance } from 'fastify';
import { type AccountResponse, accountResponseSchema } from '../../../shared/accounts/account.ts';
import { monthlyQuotaOf, nextMonth } from '../../accounts/quota.ts';
import type { Settings } from '../../config.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Store } from '../../store/store.ts';
import { type Endpoint, ownerOf } from '../../web/plugins/endpoint.ts';
import type { ShortenLimit } from '../../web/plugins/shorten-rate.ts';
import { toTokenInfo } from './tokens.ts';

type Options = {
  settings: Pick<Settings, 'monthlyQuota'>;
  store: Store;
  clock: Clock;
  limit: ShortenLimit;
};

const endpoint: Endpoint = {
  access: 'any_token',
  tag: 'Account',
  operationId: 'getAccount',
  summary: 'Read the account and its usage',
  response: accountResponseSchema,
};

/** `GET /api/account`: the account's usage. Does not count against the rate limit. */
export async function accountRoute(
  app: FastifyInstance,
  { settings, store, clock, limit }: Options,
) {
  app.get('/account', { config: { endpoint } }, async (request): Promise<AccountResponse> => {
    const caller = ownerOf(request);
    const { account, tokenInfo } = caller;
    const now = clock();
    const monthlyQuota = monthlyQuotaOf(account, settings);
    const links = await store.countLinks(account.id, now);
    const tokens = (await store.listTokens(account.id)).filter(
      ({ id }) => tokenInfo.scope === 'all' || id === tokenInfo.id,
    );
    const rate = await limit.read(caller);
    return {
      success: true,
      message: 'Account details and usage.',
      data: {
        name: account.name,
        created: new Date(account.created).toISOString(),
        links: links.total,
        quota: {
          limit: finiteOrNull(monthlyQuota),
          used: links.month,
          remaining: finiteOrNull(Math.max(0, monthlyQuota - links.month)),
          resetsAt: new Date(nextMonth(now)).toISOString(),
        },
        rate: {
          limit: limit.max,
          remaining: rate.remaining,
          resetsInSeconds: rate.ttlInSeconds,
        },
        tokens: tokens.map((token) => toTokenInfo(token, tokenInfo)),
      },
    };
  });
}

function finiteOrNull(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
