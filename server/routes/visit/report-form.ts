import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { CONTACT_MAX_CHARACTERS, REPORT_MAX_CHARACTERS } from '../../../shared/bounds.ts';
import { textLine } from '../../../shared/schemas.ts';
import type { Domains } from '../../domains/short-domains.ts';
import { rateLimited } from '../../lib/service-error.ts';
import type { Clock } from '../../lib/time.ts';
import { addressKey } from '../../limits/limit-counter.ts';
import type { Limit, Limits } from '../../limits/limits.ts';
import type { Traffic } from '../../metrics/traffic.ts';
import type { Administration } from '../../store/administration.ts';
import type { Link } from '../../store/link.ts';
import type { ReportedLink } from '../../store/reports.ts';
import type { Store } from '../../store/store.ts';
import type { LinkFinder } from '../../visits/link-finder.ts';
import type { Visit } from '../../visits/visit.ts';
import { toFormError } from '../../web/plugins/errors.ts';
import { onlyOwnForms } from '../../web/plugins/origins.ts';
import { errorText } from '../../web/views/error-page.ts';
import { sendPage } from '../../web/views/send-page.ts';
import { readVisit } from './redirects.ts';

type Dependencies = {
  store: Store;
  clock: Clock;
  domains: Domains;
  traffic: Traffic;
  limits: Limits;
  findLink: LinkFinder;
};

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
  { store, clock, domains, traffic, limits, findLink }: Dependencies,
) {
  const own = limits.exact('report');
  const all = limits.exact('all reports');
  const { administration } = store;
  const policy = { hasOwnForm: true };

  const toPage = (visit: Visit, link: Link) => ({
    maxReason: REPORT_MAX_CHARACTERS,
    maxContact: CONTACT_MAX_CHARACTERS,
    shortAddress: domains.shortAddress(link.alias),
    action: `/${visit.alias}/report`,
  });

  app.get<ReportVisit>('/:alias/report', async (request, reply) => {
    const visit = readVisit(request);
    const page = toPage(visit, await findLink(visit));
    return sendPage(reply, 'report-form', page, policy);
  });

  app.post<ReportVisit>('/:alias/report', {
    bodyLimit: FORM_MAX_BYTES,
    onRequest: onlyOwnForms(domains),
    handler: async (request, reply) => {
      const visit = readVisit(request);
      const link = await findLink(visit);
      const page = toPage(visit, link);
      const parsed = formSchema.safeParse(request.body);
      if (!parsed.success) {
        const again = { ...page, ...typedIn(request.body), isMissing: true };
        return sendPage(reply.code(400), 'report-form', again, policy);
      }
      try {
        await assertNotTooMany(own, addressKey(visit.address));
        await assertNotTooMany(all, '1*all');
        if ((await administration.countReportedLinks()) >= REPORTED_LINKS_MAX) {
          await makeRoom(link.id, administration);
        }
        await administration.addReport(link.id, { ...parsed.data, time: clock() });
      } catch (error) {
        const issue = errorText(toFormError(error, reply, traffic), request);
        // With what was typed: nobody writes it twice.
        const again = { ...page, ...typedIn(request.body), issue };
        return sendPage(reply, 'report-form', again, policy);
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
  if (isExceeded) throw rateLimited('Too many reports.', ttlInSeconds);
}
