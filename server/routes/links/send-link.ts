import type { FastifyReply, FastifyRequest } from 'fastify';
import { linkEtag } from '../../../shared/links/link-etag.ts';
import type { LinkRecord } from '../../../shared/links/link-record.ts';
import { linkQuerySchema } from '../../../shared/links/link-responses.ts';
import { knownDomain } from '../../domains/named-domain.ts';
import type { Clock } from '../../lib/clock.ts';
import { parseInput } from '../../lib/parse-input.ts';
import type { LinkCall } from '../../links/manage/own-link.ts';
import { type RecordDependencies, toLinkRecord } from '../../links/to-link-record.ts';
import type { Link } from '../../store/link.ts';
import { ownerOf } from '../../web/plugins/endpoint.ts';

export type SendLinkDependencies = RecordDependencies & { clock: Clock };

export const ETAG_HEADER = { ETag: 'Names the version of the link, for `If-Match`.' };

export type LinkRequest = FastifyRequest<{ Params: { alias: string } }>;

/** @throws ServiceError `invalid_domain` */
export function readLinkCall(
  request: LinkRequest,
  { domains }: Pick<RecordDependencies, 'domains'>,
): LinkCall {
  const { domain } = parseInput(linkQuerySchema, request.query);
  return {
    account: ownerOf(request).account,
    by: request.authorization,
    alias: domains.qualify(knownDomain(domain, domains), request.params.alias),
    ifMatch: request.headers['if-match'],
  };
}

/** Sets the link's ETag and returns its record. */
export function toTaggedRecord(
  request: FastifyRequest,
  reply: FastifyReply,
  link: Link,
  dependencies: SendLinkDependencies,
): LinkRecord {
  reply.header('etag', linkEtag(link));
  return toLinkRecord(link, dependencies, ownerOf(request).token, dependencies.clock());
}
