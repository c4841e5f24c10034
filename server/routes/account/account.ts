import type { FastifyInstance } from 'fastify';
import {
  type AccountResponse,
  accountResponseSchema,
  editOwnAccountRequestSchema,
} from '../../../shared/accounts/account.ts';
import { monthlyQuotaOf, nextMonth } from '../../accounts/quota.ts';
import type { Settings } from '../../config.ts';
import { usableDomain } from '../../domains/named-domain.ts';
import type { ShortDomains } from '../../domains/short-domains.ts';
import type { Clock } from '../../lib/clock.ts';
import { assertReadOnly, isUnchanged } from '../../lib/read-only.ts';
import type { Account } from '../../store/account.ts';
import type { Store } from '../../store/store.ts';
import { type Endpoint, ownerOf } from '../../web/plugins/endpoint.ts';
import type { ShortenLimit } from '../../web/plugins/shorten-rate.ts';
import { addRoute } from '../add-route.ts';
import { toTokenInfo } from './tokens.ts';

type Options = {
  settings: Pick<Settings, 'monthlyQuota'>;
  store: Store;
  domains: ShortDomains;
  clock: Clock;
  limit: ShortenLimit;
};

type AccountCaller = ReturnType<typeof ownerOf>;

const read = {
  access: 'any_token',
  tag: 'Account',
  operationId: 'getAccount',
  summary: 'Read the account and its usage',
  response: accountResponseSchema,
} satisfies Endpoint;

const edit = {
  access: 'all',
  tag: 'Account',
  operationId: 'editAccount',
  summary: 'Choose the domain of links that name none',
  body: editOwnAccountRequestSchema,
  examples: { 'That of the server': { domain: null } },
  response: accountResponseSchema,
  errors: ['invalid_domain'],
} satisfies Endpoint;

/** `GET` and `PATCH /api/account`: the account's usage. Does not count against the rate limit. */
export async function accountRoute(
  app: FastifyInstance,
  { settings, store, domains, clock, limit }: Options,
) {
  addRoute(app, 'GET', '/account', read, async ({ request }) => {
    const caller = ownerOf(request);
    return describe(caller, caller.account);
  });

  addRoute(app, 'PATCH', '/account', edit, async ({ body, by, request }) => {
    const { domain: host, ...readOnly } = body;
    const caller = ownerOf(request);
    const { id } = caller.account;
    const before = await describe(caller, caller.account);
    assertReadOnly(readOnly, (field, value) => isUnchanged(field, value, before.data[field]));
    if (host === undefined) return before;
    const chosen = host === null ? domains.first : usableDomain(host, id, domains);
    const domain = chosen === domains.first ? null : chosen.host;
    const account = await store.administration.editAccount(id, { domain }, by);
    return describe(caller, account ?? caller.account);
  });

  async function describe(caller: AccountCaller, account: Account): Promise<AccountResponse> {
    const { tokenInfo } = caller;
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
        domain: domains.defaultOf(account).host,
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
  }
}

function finiteOrNull(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
