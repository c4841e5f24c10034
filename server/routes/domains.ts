import type { FastifyInstance } from 'fastify';
import { doneResponseSchema } from '../../shared/accounts/account-tokens.ts';
import { askQuerySchema, domainListResponseSchema } from '../../shared/domains.ts';
import type { ShortDomains } from '../domains/short-domains.ts';
import { displayHost } from '../lib/display-host.ts';
import { ServiceError } from '../lib/service-error.ts';
import type { Endpoint } from '../web/plugins/endpoint.ts';
import { addRoute } from './add-route.ts';

const list = {
  access: 'any_token',
  isAnonymousAllowed: true,
  tag: 'Links',
  operationId: 'listDomains',
  summary: 'List the domains that the account may use',
  response: domainListResponseSchema,
} satisfies Endpoint;

const ask = {
  access: 'public',
  answersLoopback: true,
  tag: 'Server',
  operationId: 'askDomain',
  summary: 'Check that a host is a domain of this server',
  description: 'For the on-demand certificates of a proxy such as Caddy. Unknown hosts answer 404.',
  query: askQuerySchema,
  response: doneResponseSchema,
  errors: ['not_found'],
} satisfies Endpoint;

/** `GET /api/domains` and `GET /api/domains/ask`. */
export async function domainRoutes(app: FastifyInstance, { domains }: { domains: ShortDomains }) {
  addRoute(app, 'GET', '/domains', list, async ({ request: { caller } }) => {
    const account = caller.kind === 'account' ? caller.account : undefined;
    const byDefault = domains.defaultOf(account);
    const others = domains.usableBy(account?.id).filter((domain) => domain !== byDefault);
    const data = [byDefault, ...others].map((domain) => {
      const { host, baseUrl } = domain;
      return {
        ...{ host, displayHost: displayHost(host), baseUrl },
        isDefault: domain === byDefault,
      };
    });
    return { success: true, message: 'The domains that the account may use.', data };
  });

  addRoute(app, 'GET', '/domains/ask', ask, async ({ query: { domain } }) => {
    // A removed one answers 410 for its links, over HTTPS, too.
    if (!domains.hasHost(domain))
      throw new ServiceError('not_found', 'Not a domain of this server.');
    return { success: true, message: 'A domain of this server.', data: null };
  });
}
