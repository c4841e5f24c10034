import type { FastifyInstance } from 'fastify';
import type { AccountResponse } from '../../shared/account.ts';
import type { Service } from '../core/context.ts';
import { ServiceError } from '../core/service-error.ts';
import { nextMonth } from '../links/quota.ts';
import { assertValidToken } from '../plugins/caller.ts';

/** `GET /api/account`: the account's usage. Does not count against the rate limit. */
export async function accountRoute(app: FastifyInstance, { service }: { service: Service }) {
  const { settings, store, clock } = service;
  const shortenRate = app.createRateLimit();

  app.get('/account', async (request): Promise<AccountResponse> => {
    const { caller } = request;
    assertValidToken(caller);
    if (caller.kind === 'anonymous') {
      throw new ServiceError(
        'token_required',
        'Send the token of the account: "Authorization: Bearer <token>".',
      );
    }
    const now = clock();
    const links = await store.countLinks(caller.account.id, now);
    const rate = await shortenRate(request, { increment: false });
    if (rate.isAllowed) throw new Error('no client is exempt from the rate limit');
    return {
      success: true,
      message: 'Account details and usage.',
      data: {
        created: new Date(caller.account.created).toISOString(),
        links: links.total,
        quota: {
          limit: finiteOrNull(settings.monthlyQuota),
          used: links.month,
          remaining: finiteOrNull(Math.max(0, settings.monthlyQuota - links.month)),
          resetsAt: new Date(nextMonth(now)).toISOString(),
        },
        rate: {
          limit: rate.max,
          remaining: rate.remaining,
          resetsInSeconds: rate.ttlInSeconds,
        },
      },
    };
  });
}

function finiteOrNull(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
