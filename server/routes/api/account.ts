import type { FastifyInstance } from 'fastify';
import type { AccountResponse } from '../../../shared/accounts/account.ts';
import type { TokenInfo } from '../../../shared/accounts/account-tokens.ts';
import { monthlyQuotaOf, nextMonth } from '../../accounts/quota.ts';
import { createToken, revokeToken, type TokenDependencies } from '../../accounts/tokens.ts';
import type { Settings } from '../../config.ts';
import { type Domains, usableDomain } from '../../domains/short-domains.ts';
import { assertReadOnly, isUnchanged } from '../../lib/read-only.ts';
import type { Clock } from '../../lib/time.ts';
import type { Account, Token } from '../../store/account.ts';
import { ownerOf, type ShortenLimit } from '../../web/plugins/endpoint.ts';
import { addRoutes } from './add-routes.ts';

type Dependencies = TokenDependencies & {
  settings: Pick<Settings, 'monthlyQuota'>;
  domains: Domains;
  clock: Clock;
  limit: ShortenLimit;
};

type AccountCaller = ReturnType<typeof ownerOf>;

/** Registers `/api/account` and its tokens. Does not count against the rate limit. */
export async function accountRoutes(app: FastifyInstance, dependencies: Dependencies) {
  const { settings, store, domains, clock, limit } = dependencies;
  const add = addRoutes(app, 'Account', 'all');

  add.getAccount(
    {
      access: 'any_token',
      summary: 'Read the account and its usage',
    },
    async ({ request }) => {
      const caller = ownerOf(request);
      return describe(caller, caller.account);
    },
  );

  add.editAccount(
    {
      summary: 'Choose the domain of links that name none',
      examples: { 'That of the server': { domain: null } },
    },
    async ({ body, by, request }) => {
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
    },
  );

  add.deleteAccount(
    {
      summary: 'Delete the account',
      description:
        'Deletes its links, statistics and tokens, which leave the disk within 24 hours. Its aliases are never assigned again.',
      examples: { 'Delete everything': { confirm: 'delete' } },
    },
    async ({ by, request }) => {
      await store.deleteAccount({ accountId: ownerOf(request).account.id, by });
      return { success: true, message: 'The account is deleted.', data: null };
    },
  );

  add.listTokens(
    {
      summary: 'List the tokens of the account',
    },
    async ({ request }) => {
      const { account, tokenInfo } = ownerOf(request);
      const tokens = await store.listTokens(account.id);
      const data = tokens.map((token) => toTokenInfo(token, tokenInfo));
      return { success: true, message: 'The tokens of the account.', data };
    },
  );

  add.createToken(
    {
      summary: 'Create a token',
      description: 'The response has the token itself, which cannot be read again.',
      examples: { 'A token that can only create links': { name: 'CI', scope: 'create' } },
      errors: ['too_many_tokens'],
    },
    async ({ body, by, request }) => {
      const { account, tokenInfo } = ownerOf(request);
      const created = await createToken({ accountId: account.id, by, ...body }, dependencies);
      return {
        success: true,
        message: 'The token is ready. Store it: it cannot be shown again.',
        data: { ...toTokenInfo(created.info, tokenInfo), token: created.token },
      };
    },
  );

  add.revokeToken(
    {
      summary: 'Revoke a token',
      description: 'Effective at once.',
      errors: ['last_token'],
    },
    async ({ params, query, by, request }) => {
      const accountId = ownerOf(request).account.id;
      const evenIfLast = query.confirm === 'last';
      await revokeToken({ id: params.id, accountId, by, evenIfLast }, dependencies);
      return { success: true, message: 'The token is revoked.', data: null };
    },
  );

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

export function toTokenInfo(
  { id, name, scope, created, lastUsedOn }: Token,
  current?: Token,
): TokenInfo {
  return {
    id,
    name,
    scope,
    created: new Date(created).toISOString(),
    lastUsedOn: lastUsedOn === null ? null : new Date(lastUsedOn).toISOString().slice(0, 10),
    isCurrent: id === current?.id,
  };
}

function finiteOrNull(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
