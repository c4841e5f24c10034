import type { FastifyInstance } from 'fastify';
import { proveIdentity } from '../../accounts/server-identity.ts';
import {
  type AdminSessionDependencies,
  findAccountOf,
  newAdminSession,
  type SignInDependencies,
  signIn,
} from '../../accounts/sign-in.ts';
import { hasAdministrators, type Settings } from '../../config.ts';
import { ServiceError } from '../../lib/service-error.ts';
import { isoTime } from '../../links/to-link-record.ts';
import { type ReadIdentity, requireIdentity } from '../../web/plugins/identity.ts';
import { toTokenInfo } from './account.ts';
import { addRoutes } from './add-routes.ts';

type Dependencies = AdminSessionDependencies & SignInDependencies & { settings: Settings };

/** Registers `GET /api/identity`, `POST /api/identity/token` and `/api/identity/admin`. See docs/single-sign-on.md. */
export async function identityRoutes(
  app: FastifyInstance,
  { readIdentity, ...dependencies }: Dependencies & { readIdentity: ReadIdentity },
) {
  const { adminIdentities } = dependencies.settings;
  const isAdministrator = (identity: string | null) =>
    identity !== null && adminIdentities.includes(identity);

  const add = addRoutes(app, 'Account', 'identity');

  add.getIdentity(
    {
      access: 'public',
      summary: 'Read who you are',
      description:
        'With single sign-on, the proxy in front of the server knows. Other sites and extensions cannot ask.',
      errors: ['cross_site', 'not_found'],
    },
    async ({ request }) => {
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
    },
  );

  add.signIn(
    {
      summary: 'Sign in',
      description:
        'With single sign-on: creates a token with the scope `all`, and your account with the first one. If the account has 10 tokens of this name, or 60 in total, it replaces the one of this name that has not been used for the longest time.',
      examples: { 'A token for the extension': { name: 'Extension' } },
      errors: ['account_suspended', 'too_many_tokens'],
    },
    async ({ body, request }) => {
      const identity = requireIdentity(readIdentity(request));
      const { token, info } = await signIn(identity, body.name, dependencies);
      return {
        success: true,
        message: 'The token is ready. Store it: it cannot be shown again.',
        data: { ...toTokenInfo(info), token },
      };
    },
  );

  add.proveIdentity(
    {
      access: 'public',
      summary: 'Prove that the server has an account',
      description:
        'For a client that has a token of this server, and another address of it: the server proves that it knows the token, which the client does not send. See `serverId` of `GET /api/health`.',
      examples: {
        'A token of the server': {
          keyId: 'e3b0c44298fc1c14',
          nonce: 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8',
        },
      },
    },
    async ({ body }) => ({
      success: true,
      message: 'The proof of this server.',
      data: { proof: await proveIdentity(body, dependencies) },
    }),
  );

  if (!hasAdministrators(dependencies.settings)) return;
  addRoutes(app, 'Administration', 'identity').administer(
    {
      summary: 'Sign in to administer',
      description:
        'With single sign-on, for the people in `ADMIN_IDENTITIES`: a token for `/api/admin` that is valid for 8 hours.',
      errors: ['not_administrator'],
    },
    async ({ request }) => {
      const identity = requireIdentity(readIdentity(request));
      if (!isAdministrator(identity)) {
        throw new ServiceError('not_administrator', `ADMIN_IDENTITIES does not name ${identity}.`);
      }
      const { token, expires } = newAdminSession(identity, dependencies);
      const data = { token, expiresAt: isoTime(expires) };
      return { success: true, message: `You administer as ${identity}.`, data };
    },
  );
}
