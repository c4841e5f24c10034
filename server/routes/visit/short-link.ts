import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Service } from '../../dependencies.ts';
import { ServiceError } from '../../lib/service-error.ts';
import type { Limits } from '../../limits/limits.ts';
import { forwardedQuery } from '../../visits/forwarded-query.ts';
import type { LinkFinder } from '../../visits/link-finder.ts';
import { needsPreview } from '../../visits/needs-preview.ts';
import { createPasswordGate } from '../../visits/password-gate.ts';
import { recordPageView, sendToTarget } from '../../visits/send-to-target.ts';
import { rejectCrossSite } from '../../web/plugins/cross-site.ts';
import { wantsJson } from '../../web/plugins/errors.ts';
import { addVary } from '../../web/views/page-language.ts';
import { sendInspectPage } from './inspect-page.ts';
import { sendPasswordPage } from './password-page.ts';
import { sendPreviewPage } from './preview-page.ts';

type Visit = { Params: { alias: string }; Body: { password?: unknown } | null | undefined };

/**
 * `GET` and `POST /<alias>` and `/<alias>+`; a POST sends the password. The `+` is part of the
 * parameter, because it is special in route patterns.
 *
 * @see docs/api.md, "Visit a short link"
 */
export async function shortLinkRoutes(
  app: FastifyInstance,
  { service, limits, findLink }: { service: Service; limits: Limits; findLink: LinkFinder },
) {
  const knowsPassword = createPasswordGate(service, limits);

  app.get<Visit>('/:alias', async (request, reply) => {
    const { alias, inspects } = readAlias(request.params.alias);
    const link = await findLink(request, alias);
    const query = forwardedQuery(link, request);
    const needsPage = link.passwordHash !== null || needsPreview(link, service);
    if (needsPage && !inspects) recordPageView(request, link, service);
    if (link.passwordHash !== null) {
      return sendPasswordPage(reply, link, service, { inspects, query });
    }
    if (inspects) return sendInspectPage(reply, link, service, query);
    if (needsPreview(link, service)) return sendPreviewPage(reply, link, service, query);
    return sendToTarget(request, reply, link, service);
  });

  app.post<Visit>('/:alias', { onRequest: rejectForeignPages }, async (request, reply) => {
    const { alias, inspects } = readAlias(request.params.alias);
    const link = await findLink(request, alias);
    const query = forwardedQuery(link, request);
    if (!(await knowsPassword(request, link, request.body?.password))) {
      if (wantsJson(request)) {
        throw new ServiceError('wrong_password', 'Wrong password.');
      }
      reply.code(401);
      addVary(reply, 'Accept');
      return sendPasswordPage(reply, link, service, { inspects, query, isWrong: true });
    }
    if (inspects) return sendInspectPage(reply, link, service, query);
    if (needsPreview(link, service)) return sendPreviewPage(reply, link, service, query);
    return sendToTarget(request, reply, link, service, { status: 303 });
  });
}

/** The password form is same-origin, so `CORS_ORIGINS` does not apply. */
async function rejectForeignPages(request: FastifyRequest): Promise<void> {
  rejectCrossSite(request, []);
}

function readAlias(parameter: string): { alias: string; inspects: boolean } {
  const inspects = parameter.endsWith('+');
  return { alias: inspects ? parameter.slice(0, -1) : parameter, inspects };
}
