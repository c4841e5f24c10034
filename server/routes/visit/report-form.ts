import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { textLine } from '../../../shared/fields.ts';
import { CONTACT_MAX_CHARACTERS, REPORT_MAX_CHARACTERS } from '../../../shared/limits.ts';
import type { ShortDomains } from '../../domains/short-domains.ts';
import type { Clock } from '../../lib/clock.ts';
import { HOUR_MS } from '../../lib/durations.ts';
import { ServiceError } from '../../lib/service-error.ts';
import { clientAddress } from '../../limits/client-ip.ts';
import { addressKey } from '../../limits/limit-key.ts';
import type { Limit, Limits } from '../../limits/limits.ts';
import type { Traffic } from '../../metrics/traffic.ts';
import type { Administration } from '../../store/administration.ts';
import type { ReportedLink } from '../../store/reports.ts';
import type { Store } from '../../store/store.ts';
import type { LinkFinder } from '../../visits/link-finder.ts';
import { ERROR_STATUS, toServiceError, wantsJson } from '../../web/plugins/errors.ts';
import { assertOwnForm } from '../../web/plugins/own-form.ts';
import { errorText } from '../../web/views/error-text.ts';
import { addVary, translatorFor } from '../../web/views/page-language.ts';
import { sendPage } from '../../web/views/send-page.ts';
import { shortAddress } from './preview-page.ts';
import { visitedPath } from './visited-path.ts';

type Dependencies = {
  store: Store;
  clock: Clock;
  domains: ShortDomains;
  traffic: Pick<Traffic, 'countError'>;
};

/** Of one client. */
const REPORTS_PER_HOUR = 10;
/** Of all clients together: many addresses must not fill the disk. */
const ALL_REPORTS_PER_HOUR = 1000;
const REPORTED_LINKS_MAX = 5000;
/** Four bytes a character, percent-encoded, and the names of the fields. */
const FORM_MAX_BYTES = 12 * (REPORT_MAX_CHARACTERS + CONTACT_MAX_CHARACTERS) + 100;

/** Line breaks of a reason are spaces, so that lists have a line for each. */
const oneLine = (text: string) => text.replace(/\p{Cc}+/gu, ' ');
const formSchema = z.object({
  reason: z.string().transform(oneLine).pipe(textLine(REPORT_MAX_CHARACTERS)),
  contact: z
    .string()
    .transform(oneLine)
    .pipe(z.union([z.string().trim().max(0), textLine(CONTACT_MAX_CHARACTERS)]))
    .default(''),
});

type ReportVisit = { Params: { alias: string }; Body: unknown };

/**
 * `GET` and `POST /<alias>/report`: a form for whoever has a complaint about a link, without JavaScript.
 * No address is stored.
 */
export async function reportFormRoutes(
  app: FastifyInstance,
  { limits, findLink, ...dependencies }: Dependencies & { limits: Limits; findLink: LinkFinder },
) {
  const own = limits.exact({ name: 'report', max: REPORTS_PER_HOUR, windowMs: HOUR_MS });
  const all = limits.exact({ name: 'all reports', max: ALL_REPORTS_PER_HOUR, windowMs: HOUR_MS });
  const { administration } = dependencies.store;
  const form = { maxReason: REPORT_MAX_CHARACTERS, maxContact: CONTACT_MAX_CHARACTERS };
  const policy = { hasOwnForm: true };

  app.get<ReportVisit>('/:alias/report', async (request, reply) => {
    const link = await findLink(request, request.params.alias);
    const action = `${visitedPath(request)}/report`;
    const page = { ...form, shortAddress: shortAddress(link, dependencies), action };
    return sendPage(reply, 'report-form', page, policy);
  });

  app.post<ReportVisit>('/:alias/report', {
    bodyLimit: FORM_MAX_BYTES,
    onRequest: (request, _reply, done) => {
      assertOwnForm(request, dependencies.domains.ofHost(request.host).baseUrl);
      done();
    },
    handler: async (request, reply) => {
      const link = await findLink(request, request.params.alias);
      const action = `${visitedPath(request)}/report`;
      const page = { ...form, shortAddress: shortAddress(link, dependencies), action };
      const parsed = formSchema.safeParse(request.body);
      if (!parsed.success) {
        const again = { ...page, ...typedIn(request.body), isMissing: true };
        return sendPage(reply.code(400), 'report-form', again, policy);
      }
      try {
        await assertNotTooMany(own, addressKey(clientAddress(request)));
        await assertNotTooMany(all, '1*all');
        if ((await administration.countReportedLinks()) >= REPORTED_LINKS_MAX) {
          await makeRoom(link.id, administration);
        }
        await administration.addReport(link.id, { ...parsed.data, time: dependencies.clock() });
      } catch (error) {
        if (wantsJson(request)) throw error;
        const serviceError = toServiceError(error, request);
        dependencies.traffic.countError(serviceError.code);
        const { retryAfterSeconds } = serviceError.details;
        if (retryAfterSeconds !== undefined) reply.header('retry-after', retryAfterSeconds);
        addVary(reply, 'Accept');
        const { code, message } = serviceError;
        const issue = errorText(
          { code, message, retryAfterSeconds, requestId: request.id },
          translatorFor(request),
        );
        // With what was typed: nobody writes it twice.
        const again = { ...page, ...typedIn(request.body), issue };
        return sendPage(reply.code(ERROR_STATUS[serviceError.code]), 'report-form', again, policy);
      }
      return sendPage(reply, 'report-form', { ...page, isSent: true }, policy);
    },
  });
}

/** The fields of a form that is shown again. */
function typedIn(body: unknown): { reason: string; contact: string } {
  const { reason, contact } = (body ?? {}) as { reason?: unknown; contact?: unknown };
  const textOf = (value: unknown) => (typeof value === 'string' ? value : '');
  return { reason: textOf(reason), contact: textOf(contact) };
}

/**
 * Forgets the link that fewest visitors have reported, and of these the one whose report is oldest: otherwise,
 * reports from many addresses, of links that nobody can see any more, would close the form to everybody.
 *
 * @param linkId gets a report, and may have a place already
 */
async function makeRoom(linkId: string, administration: Administration): Promise<void> {
  const all = await administration.listReports();
  if (all.some((reported) => reported.linkId === linkId)) return;
  const timeOf = ({ reports: [last] }: ReportedLink) => last?.time ?? 0;
  const [least] = all.sort((a, b) => a.count - b.count || timeOf(a) - timeOf(b));
  if (least) await administration.removeReports(least.linkId);
}

/** @throws ServiceError `rate_limited` */
async function assertNotTooMany(limit: Limit, key: string): Promise<void> {
  const { isExceeded, ttlInSeconds } = await limit.take(key);
  if (!isExceeded) return;
  throw new ServiceError(
    'rate_limited',
    `Too many reports. Try again in ${ttlInSeconds} seconds.`,
    { retryAfterSeconds: ttlInSeconds },
  );
}
