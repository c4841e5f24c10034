import type { FastifyInstance } from 'fastify';
import type { HealthResponse } from '../../../shared/health.ts';
import { serverIdOf } from '../../accounts/server-identity.ts';
import type { Settings } from '../../config.ts';
import type { Domains } from '../../domains/short-domains.ts';
import { displayHost } from '../../lib/host-name.ts';
import { ServiceError } from '../../lib/service-error.ts';
import { VERSION } from '../../lib/shipped-files.ts';
import type { Store } from '../../store/store.ts';
import { createOpenApi } from '../../web/openapi/document.ts';
import { forAssistants } from '../../web/openapi/for-assistants.ts';
import type { DeclaredEndpoint } from '../../web/plugins/endpoint.ts';
import { sendPage } from '../../web/views/send-page.ts';
import { addRoutes } from './add-routes.ts';

type Dependencies = {
  settings: Pick<Settings, 'compat' | 'countryHeader' | 'customGtm'>;
  store: Pick<Store, 'checkWritable'>;
  domains: Domains;
  dataSecret: Buffer;
  endpoints: DeclaredEndpoint[];
};

/** Registers `/api/health`, `/api/domains`, and the API reference. */
export async function serverRoutes(
  app: FastifyInstance,
  { settings, store, domains, dataSecret, endpoints }: Dependencies,
) {
  const add = addRoutes(app, 'Server', 'public');
  const serverId = serverIdOf(dataSecret);
  const healthy = async (): Promise<HealthResponse> => ({
    ...{ status: 'ok', service: 'curt', version: VERSION, serverId },
    baseUrl: domains.first.baseUrl,
    ...(!domains.isSingle && { hasDomains: true }),
    ...(settings.countryHeader !== undefined && { hasCountries: true }),
    ...(settings.customGtm !== 'off' && { hasContainers: true }),
    ...(settings.compat && { hasCompat: true }),
  });

  // Does not touch the disk.
  add.getHealth({ answersLoopback: true, summary: 'Check that the server runs' }, healthy);

  add.getReadiness(
    {
      answersLoopback: true,
      summary: 'Check that the server can write',
      errors: ['store_unavailable'],
    },
    async () => {
      await store.checkWritable();
      return healthy();
    },
  );

  addRoutes(app, 'Links', 'any_token').listDomains(
    {
      isAnonymousAllowed: true,
      summary: 'List the domains that the account may use',
    },
    async ({ request: { caller } }) => {
      const account = caller.kind === 'account' ? caller.account : undefined;
      const byDefault = domains.defaultOf(account);
      const others = domains.usableBy(account?.id).filter((domain) => domain !== byDefault);
      const data = [byDefault, ...others].map((domain) => {
        const { host, baseUrl } = domain;
        return { host, displayHost: displayHost(host), baseUrl, isDefault: domain === byDefault };
      });
      return { success: true, message: 'The domains that the account may use.', data };
    },
  );

  add.askDomain(
    {
      answersLoopback: true,
      summary: 'Check that a host is a domain of this server',
      description:
        'For the on-demand certificates of a proxy such as Caddy. Unknown hosts answer 404.',
      errors: ['not_found'],
    },
    async ({ query: { domain } }) => {
      // A removed one answers 410 for its links, over HTTPS, too.
      if (!domains.hasHost(domain)) {
        throw new ServiceError('not_found', 'Not a domain of this server.');
      }
      return { success: true, message: 'A domain of this server.', data: null };
    },
  );

  // Made for the first request, since a server that is never asked needs none. A buffer is the same for all
  // responses that wait to be read.
  const texts = new Map<string | undefined, Buffer>();
  add.getOpenApi(
    {
      summary: 'Describe the API in OpenAPI',
      otherResponse: {
        types: ['application/json'],
        description: 'This document, in OpenAPI 3.1',
      },
    },
    async ({ query, reply }) => {
      const described = query.for === 'assistants' ? forAssistants(endpoints) : endpoints;
      const text =
        texts.get(query.for) ??
        Buffer.from(JSON.stringify(createOpenApi(described, domains.first.baseUrl)));
      texts.set(query.for, text);
      return reply.type('application/json; charset=utf-8').send(text);
    },
  );

  add.getApiReference(
    {
      summary: 'Show this reference as a page',
      otherResponse: { types: ['text/html'], description: 'This reference' },
    },
    ({ reply }) => sendPage(reply, 'api-reference', {}, { isReference: true }),
  );
}
