import type { FastifyInstance } from 'fastify';
import { type AccountResponse, accountResponseSchema } from '../../../shared/accounts/account.ts';
import type { Service } from '../../core/context.ts';
import { monthlyQuotaOf, nextMonth } from '../../links/quota.ts';
import { type Endpoint, ownerOf } from '../../plugins/endpoint.ts';
import { toTokenInfo } from './tokens.ts';

const endpoint: Endpoint = {
  access: 'any_token',
  tag: 'Account',
  summary: 'Read the account and its usage',
  response: accountResponseSchema,
};

/** `GET /api/account`: the account's usage. Does not count against the rate limit. */
export async function accountRoute(app: FastifyInstance, { service }: { service: Service }) {
  const { settings, store, clock } = service;
  const shortenRate = app.createRateLimit();

  app.get('/account', { config: { endpoint } }, async (request): Promise<AccountResponse> => {
    const { account, tokenInfo } = ownerOf(request);
    const now = clock();
    const monthlyQuota = monthlyQuotaOf(account, settings);
    const links = await store.countLinks(account.id, now);
    const tokens = await store.listTokens(account.id);
    const rate = await shortenRate(request, { increment: false });
    if (rate.isAllowed) throw new Error('no client is exempt from the rate limit');
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
          limit: rate.max,
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
