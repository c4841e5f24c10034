import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { linkEtag } from '../../../shared/links/link-etag.ts';
import type { LinkRecord } from '../../../shared/links/link-record.ts';
import type { linkQuerySchema } from '../../../shared/links/link-responses.ts';
import { knownDomain } from '../../domains/named-domain.ts';
import type { Clock } from '../../lib/clock.ts';
import type { LinkCall } from '../../links/manage/own-link.ts';
import { type RecordDependencies, toLinkRecord } from '../../links/to-link-record.ts';
import type { Authorization } from '../../store/account.ts';
import type { Link } from '../../store/link.ts';
import { ownerOf } from '../../web/plugins/endpoint.ts';

export type SendLinkDependencies = RecordDependencies & { clock: Clock };

export const ETAG_HEADER = { ETag: 'Names the version of the link, for `If-Match`.' };

/** The input of an endpoint of one link. */
type OfLink = {
  params: { alias: string };
  query: z.output<typeof linkQuerySchema>;
  by: Authorization;
  request: FastifyRequest;
};

/** @throws ServiceError `invalid_domain` */
export function readLinkCall(
  { params, query, by, request }: OfLink,
  { domains }: Pick<RecordDependencies, 'domains'>,
): LinkCall {
  const { account, address } = ownerOf(request);
  return {
    ...{ account, address, by },
    alias: domains.qualify(knownDomain(query.domain, domains), params.alias),
    ifMatch: request.headers['if-match'],
  };
}

/** Sets the link's ETag and returns its record. */
export function toTaggedRecord(
  { reply }: { reply: FastifyReply },
  link: Link,
  dependencies: SendLinkDependencies,
): LinkRecord {
  reply.header('etag', linkEtag(link));
  return toLinkRecord(link, dependencies, dependencies.clock());
}
