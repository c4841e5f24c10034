import type { FastifyInstance } from 'fastify';
import { newTokenResponseSchema } from '../../../shared/accounts/account-tokens.ts';
import {
  identityResponseSchema,
  identityTokenRequestSchema,
} from '../../../shared/accounts/identity.ts';
import { adminSessionResponseSchema } from '../../../shared/admin/session.ts';
import { type AdminSessionDependencies, newAdminSession } from '../../accounts/admin-session.ts';
import { findAccountOf, type SignInDependencies, signIn } from '../../accounts/sign-in.ts';
import { hasAdministrators, type Settings } from '../../config.ts';
import { ServiceError } from '../../lib/service-error.ts';
import { isoTime } from '../../links/to-link-record.ts';
import type { Endpoint } from '../../web/plugins/endpoint.ts';
import { type ReadIdentity, requireIdentity } from '../../web/plugins/identity.ts';
import { addRoute } from '../add-route.ts';
import { toTokenInfo } from './tokens.ts';

type Dependencies = AdminSessionDependencies & SignInDependencies & { settings: Settings };

const read = {
  access: 'public',
  tag: 'Account',
  operationId: 'getIdentity',
  summary: 'Read who you are',
  description:
    'With single sign-on, the proxy in front of the server knows. Other sites and extensions cannot ask.',
  response: identityResponseSchema,
  errors: ['cross_site', 'not_found'],
} satisfies Endpoint;

const create = {
  access: 'identity',
  tag: 'Account',
  operationId: 'signIn',
  summary: 'Sign in',
  description:
    'With single sign-on: creates a token with the scope `all`, and your account with the first one. If the account has 10 tokens of this name, or 60 in total, it replaces the one of this name that has not been used for the longest time.',
  body: identityTokenRequestSchema,
  examples: { 'A token for the extension': { name: 'Extension' } },
  response: newTokenResponseSchema,
  errors: ['not_found', 'account_suspended', 'too_many_tokens'],
} satisfies Endpoint;

const administer = {
  access: 'identity',
  tag: 'Administration',
  operationId: 'administer',
  summary: 'Sign in to administer',
  description:
    'With single sign-on, for the people in `ADMIN_IDENTITIES`: a token for `/api/admin` that is valid for 8 hours.',
  response: adminSessionResponseSchema,
  errors: ['not_found', 'not_administrator'],
} satisfies Endpoint;

/** `GET /api/identity`, `POST /api/identity/token` and `/api/identity/admin`. See docs/single-sign-on.md. */
export async function identityRoutes(
  app: FastifyInstance,
  { readIdentity, ...dependencies }: Dependencies & { readIdentity: ReadIdentity },
) {
  const { adminIdentities } = dependencies.settings;
  const isAdministrator = (identity: string | null) =>
    identity !== null && adminIdentities.includes(identity);

  addRoute(app, 'GET', '/identity', read, async ({ request }) => {
    const identity = readIdentity(request) ?? null;
    const account = identity === null ? undefined : await findAccountOf(identity, dependencies);
    return {
      success: true,
      message: identity === null ? 'Nobody says who you are.' : `You are ${identity}.`,
      data: {
        identity,
        hasAccount: account !== undefined,
        isAdministrator: isAdministrator(identity),
      },
    };
  });

  addRoute(app, 'POST', '/identity/token', create, async ({ body, request }) => {
    const identity = requireIdentity(readIdentity(request));
    const { token, info } = await signIn(identity, body.name, dependencies);
    return {
      success: true,
      message: 'The token is ready. Store it: it cannot be shown again.',
      data: { ...toTokenInfo(info), token },
    };
  });

  if (!hasAdministrators(dependencies.settings)) return;
  addRoute(app, 'POST', '/identity/admin', administer, async ({ request }) => {
    const identity = requireIdentity(readIdentity(request));
    if (!isAdministrator(identity)) {
      throw new ServiceError('not_administrator', `ADMIN_IDENTITIES does not name ${identity}.`);
    }
    const { token, expires } = newAdminSession(identity, dependencies);
    const data = { token, expiresAt: isoTime(expires) };
    return { success: true, message: `You administer as ${identity}.`, data };
  });
}
