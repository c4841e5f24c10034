import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { TAGS_LISTED_MAX } from '../../../shared/bounds.ts';
import type { BulkChange, BulkResponse, bulkQuerySchema } from '../../../shared/links/bulk.ts';
import { linkEtag } from '../../../shared/links/link-etag.ts';
import type { LinkRecord } from '../../../shared/links/link-record.ts';
import type { linkQuerySchema } from '../../../shared/links/link-responses.ts';
import { knownDomain } from '../../domains/short-domains.ts';
import type { Clock } from '../../lib/time.ts';
import { type ChangeLinksDependencies, changeLinks } from '../../links/manage/change-links.ts';
import { type EditLinkDependencies, editLink } from '../../links/manage/edit-link.ts';
import { type ListDependencies, listLinks, readVisits30 } from '../../links/manage/list-links.ts';
import {
  deleteLink,
  findOwnLink,
  type LinkCall,
  purgeLink,
  removePreviousAlias,
  restoreLink,
} from '../../links/manage/own-link.ts';
import { qrDataUrl } from '../../links/qr-code.ts';
import { type RecordDependencies, toLinkRecord } from '../../links/to-link-record.ts';
import type { Authorization } from '../../store/account.ts';
import type { Link } from '../../store/link.ts';
import { ownerOf } from '../../web/plugins/endpoint.ts';
import { addRoutes } from './add-routes.ts';

export type LinkDependencies = ListDependencies &
  EditLinkDependencies &
  RecordDependencies & { clock: Clock };

const ofLink = {
  responseHeaders: { ETag: 'Names the version of the link, for `If-Match`.' },
};
const changeOfLink = { ...ofLink, access: 'all' } as const;

/** Registers `/api/links`, apart from creating and changing many, and `/api/tags`. */
export async function linkRoutes(app: FastifyInstance, dependencies: LinkDependencies) {
  const { store, clock } = dependencies;
  const add = addRoutes(app, 'Links', 'read');

  /** Sets the link's ETag and returns its record. */
  function tagged({ reply }: { reply: FastifyReply }, link: Link): LinkRecord {
    reply.header('etag', linkEtag(link));
    return toLinkRecord(link, dependencies, clock());
  }

  add.listLinks(
    {
      summary: 'List the links of the account',
      description:
        'Read page by page, the list has every link that exists throughout exactly once, whatever is created, edited or deleted in between. In another order than `created`, a link that is visited or renamed in between moves: it can be missing or, after a new alias, be there twice. `total` is exact up to 10,000 links.',
    },
    async ({ query, request }) => {
      const { account } = ownerOf(request);
      const { links, ...page } = await listLinks(account.id, query, dependencies);
      const now = clock();
      const data = links.map((link) => toLinkRecord(link, dependencies, now));
      if (query.include === 'visits30') {
        const ids = links.map(({ id }) => id);
        for (const [index, visits30] of (await readVisits30(ids, dependencies)).entries()) {
          Object.assign(data[index] ?? {}, { visits30 });
        }
      }
      return { success: true, message: 'The links of the account.', data, ...page };
    },
  );

  add.getLink(
    {
      ...ofLink,
      summary: 'Read a link',
      description: 'A deleted link can be read until it is deleted permanently.',
    },
    async (call) => {
      const link = await findOwnLink(readLinkCall(call, dependencies), dependencies);
      return { success: true, message: 'The link.', data: tagged(call, link) };
    },
  );

  add.editLink(
    {
      ...changeOfLink,
      summary: 'Edit a link',
      description:
        'Absent fields stay as they are. The edit is effective from the next visit. A new alias is a rename: the previous one still leads to the link, until it is removed.',
      examples: {
        'Change the target': { originalUrl: 'https://example.com/sold-out' },
        'Rename the link': { customAlias: 'launch-2026' },
        'Switch the link off': { isActive: false },
        'Remove the password and the expiry': { password: null, expiresAt: null },
      },
      errors: [
        'invalid_url',
        'blocked_url',
        'expires_in_past',
        'conflicting_expiry',
        'link_gone',
        'alias_taken',
        'too_many_aliases',
        'too_many_tags',
        'quota_exceeded',
        'anonymous_limit',
        'store_full',
        'link_blocked',
        'busy',
      ],
    },
    async (call) => {
      const link = await editLink(
        readLinkCall(call, dependencies),
        call.body,
        (before) => ({
          ...toLinkRecord(before, dependencies, clock()),
          authToken: ownerOf(call.request).token,
          isReused: false,
        }),
        dependencies,
      );
      const data = tagged(call, link);
      if (call.body.generateQR) data.qrCode = qrDataUrl(data.shortUrl);
      return { success: true, message: 'The link is saved.', data };
    },
  );

  add.deleteLink(
    {
      ...changeOfLink,
      summary: 'Delete a link',
      description:
        'Visitors get 410 at once. The link can be restored for 30 days, unless `purge=true` deletes it permanently. Its aliases stay reserved for the account.',
      errors: ['link_blocked'],
    },
    async (call) => {
      const linkCall = readLinkCall(call, dependencies);
      if (call.query.purge) {
        await purgeLink(linkCall, dependencies);
        return { success: true, message: 'The link is deleted permanently.', data: null };
      }
      const data = tagged(call, await deleteLink(linkCall, dependencies));
      return { success: true, message: 'The link is deleted. It can be restored.', data };
    },
  );

  add.restoreLink(
    {
      ...changeOfLink,
      summary: 'Restore a deleted link',
      description:
        'Possible for 30 days after the deletion. A link that is not deleted stays as it is.',
    },
    async (call) => {
      const link = await restoreLink(readLinkCall(call, dependencies), dependencies);
      return { success: true, message: 'The link is restored.', data: tagged(call, link) };
    },
  );

  add.removeAlias(
    {
      ...changeOfLink,
      summary: 'Remove a previous alias of a link',
      description: 'It no longer leads to the link, and stays reserved for the account.',
      errors: ['link_blocked'],
    },
    async (call) => {
      const linkCall = readLinkCall(call, dependencies);
      const link = await removePreviousAlias(linkCall, call.params.old, dependencies);
      return { success: true, message: 'The alias is removed.', data: tagged(call, link) };
    },
  );

  add.listTags(
    {
      summary: 'List the tags of the account',
      description:
        'With the number of links that have each of them. Deleted links are not counted.',
    },
    async ({ request }) => {
      const data = await store.countTags(ownerOf(request).account.id, TAGS_LISTED_MAX);
      return { success: true, message: 'The tags of the account.', data };
    },
  );
}

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

const PAGES =
  'Changes one page of the links that match, newest first. Send `nextCursor` until it is null; links that are created meanwhile stay as they are. Each change is on disk by itself. With `dryRun=true`, the response has the number of all links that match.';

type BulkCall = {
  query: z.output<typeof bulkQuerySchema>;
  by: Authorization;
  request: FastifyRequest;
};

/** Registers `PATCH /api/links` and `DELETE /api/links`. */
export async function bulkRoutes(app: FastifyInstance, dependencies: ChangeLinksDependencies) {
  const add = addRoutes(app, 'Links', 'all');

  async function respond(
    { query, by, request }: BulkCall,
    change: BulkChange,
  ): Promise<BulkResponse> {
    const { account, address } = ownerOf(request);
    const changed = await changeLinks({ account, address, by }, query, change, dependencies);
    const message = query.dryRun ? 'The links that match were counted.' : 'The links were changed.';
    return { success: true, message, ...changed };
  }

  add.changeLinks(
    {
      summary: 'Change many links',
      description: `${PAGES} To undo a change, send the aliases that were changed, with the opposite.`,
      errors: [
        'expires_in_past',
        'invalid_domain',
        'quota_exceeded',
        'anonymous_limit',
        'store_full',
      ],
      examples: {
        'Switch some links off': { aliases: ['launch', 'party'], isActive: false },
        'Tag some links': { aliases: ['launch', 'party'], addTags: ['2026'] },
        'Undo a deletion': { aliases: ['launch', 'party'], isDeleted: false },
        'Move some links': { aliases: ['launch', 'party'], domain: 'go.example' },
        'Let some links expire': { aliases: ['launch'], expiresAt: '2030-01-31T12:00:00Z' },
      },
    },
    (call) => respond(call, call.body),
  );

  add.deleteLinks(
    {
      summary: 'Delete many links',
      description: `${PAGES} The links can be restored for 30 days, with \`PATCH /api/links\`.`,
    },
    (call) => respond(call, { isDeleted: true }),
  );
}
