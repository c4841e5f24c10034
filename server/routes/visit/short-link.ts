import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Passwords } from '../../accounts/passwords.ts';
import { ServiceError } from '../../lib/service-error.ts';
import type { GuessedLinks } from '../../limits/guessed-links.ts';
import type { Limits } from '../../limits/limits.ts';
import { showsPreview } from '../../visits/classify-visit.ts';
import { passedQuery } from '../../visits/forwarded-query.ts';
import type { LinkFinder } from '../../visits/link-finder.ts';
import { needsPreview } from '../../visits/needs-preview.ts';
import { createPasswordGate } from '../../visits/password-gate.ts';
import {
  type RedirectDependencies,
  recordPageView,
  sendToTarget,
} from '../../visits/send-to-target.ts';
import { wantsJson } from '../../web/plugins/errors.ts';
import { assertOwnForm } from '../../web/plugins/own-form.ts';
import { addVary } from '../../web/views/page-language.ts';
import { sendCardPage } from './card-page.ts';
import { addGoneFallback } from './gone-fallback.ts';
import { sendInspectPage } from './inspect-page.ts';
import { sendPasswordPage } from './password-page.ts';
import { type PreviewDependencies, sendPreviewPage } from './preview-page.ts';

export type ShortLinkDependencies = PreviewDependencies &
  RedirectDependencies & { passwords: Passwords; guessedLinks: GuessedLinks };

type Visit = { Params: { alias: string }; Body: { password?: unknown } | null | undefined };

/**
 * `GET` and `POST /<alias>` and `/<alias>+`; a POST sends the password. The `+` is part of the
 * parameter, because it is special in route patterns.
 *
 * @see docs/api.md, "Visit a short link"
 */
export async function shortLinkRoutes(
  app: FastifyInstance,
  {
    limits,
    findLink,
    ...dependencies
  }: ShortLinkDependencies & { limits: Limits; findLink: LinkFinder },
) {
  const knowsPassword = createPasswordGate(dependencies, limits);
  addGoneFallback(app);

  app.get<Visit>('/:alias', async (request, reply) => {
    const { alias, inspects } = readAlias(request.params.alias);
    const link = await findLink(request, alias);
    const query = passedQuery(link, request.url);
    const card = link.passwordHash === null && showsPreview(request) ? link.card : null;
    const needsPage = link.passwordHash !== null || needsPreview(link, dependencies);
    if ((needsPage || card) && !inspects) recordPageView(request, link, dependencies);
    if (link.passwordHash !== null) {
      return sendPasswordPage(reply, link, dependencies, { inspects, query });
    }
    if (inspects) return sendInspectPage(reply, link, dependencies, query);
    if (card) return sendCardPage(reply, link, card, dependencies);
    if (needsPreview(link, dependencies)) return sendPreviewPage(reply, link, dependencies, query);
    return sendToTarget(request, reply, link, dependencies);
  });

  /** Before anything is counted: hidden forms of another site would lock the visitor out. */
  const rejectForeignForms = async (request: FastifyRequest) =>
    assertOwnForm(request, dependencies.domains.ofHost(request.host).baseUrl);

  app.post<Visit>('/:alias', { onRequest: rejectForeignForms }, async (request, reply) => {
    const { alias, inspects } = readAlias(request.params.alias);
    const link = await findLink(request, alias);
    const query = passedQuery(link, request.url);
    if (!(await knowsPassword(request, link, request.body?.password))) {
      if (wantsJson(request)) {
        throw new ServiceError('wrong_password', 'Wrong password.');
      }
      reply.code(401);
      addVary(reply, 'Accept');
      return sendPasswordPage(reply, link, dependencies, { inspects, query, isWrong: true });
    }
    if (inspects) return sendInspectPage(reply, link, dependencies, query);
    if (needsPreview(link, dependencies)) return sendPreviewPage(reply, link, dependencies, query);
    return sendToTarget(request, reply, link, dependencies, { status: 303 });
  });
}

function readAlias(parameter: string): { alias: string; inspects: boolean } {
  const inspects = parameter.endsWith('+');
  return { alias: inspects ? parameter.slice(0, -1) : parameter, inspects };
}
