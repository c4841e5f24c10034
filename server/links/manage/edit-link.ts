import type { ParsedEditRequest } from '../../../shared/links/edit-request.ts';
import type { CreatedLinkRecord } from '../../../shared/links/link-record.ts';
import { EXPIRY_FIELDS } from '../../../shared/links/shorten-request.ts';
import type { Passwords } from '../../accounts/passwords.ts';
import { assertQuotaLeft, monthlyQuotaOf } from '../../accounts/quota.ts';
import { usableDomain } from '../../domains/named-domain.ts';
import { isReserved } from '../../lib/reserved-aliases.ts';
import { ServiceError } from '../../lib/service-error.ts';
import type { AliasAnswers } from '../../limits/alias-answers.ts';
import type { Link, LinkChanges } from '../../store/link.ts';
import { aliasesOf } from '../../store/rules/aliases.ts';
import { aliasTaken } from '../aliases.ts';
import { assertSupported, type SupportDependencies } from '../assert-supported.ts';
import { assertStartsBeforeExpiry, resolveExpiry } from '../expiry.ts';
import { toFieldChanges } from '../plain-fields.ts';
import { editOwnLink, type LinkCall, linkBlocked, type OwnLinkDependencies } from './own-link.ts';
import { assertReadOnlyUnchanged } from './read-only-fields.ts';

export type EditLinkDependencies = OwnLinkDependencies & {
  aliasAnswers: Pick<AliasAnswers, 'ask'>;
} & SupportDependencies & { passwords: Pick<Passwords, 'hash'> };

/**
 * The use case of `PATCH /api/links/:alias`. Without any field, the link stays as it is.
 *
 * @param toRecord what the caller can read of a link, and send back
 * @throws ServiceError with any code of the endpoint that is not about HTTP itself
 */
export async function editLink(
  call: LinkCall,
  request: ParsedEditRequest,
  toRecord: (link: Link) => CreatedLinkRecord,
  dependencies: EditLinkDependencies,
): Promise<Link> {
  assertSupported(request, dependencies);
  const changes = toChanges(request);
  const edit = () =>
    editOwnLink(
      call,
      async (link) => {
        assertReadOnlyUnchanged(request, () => toRecord(link));
        if (link.deletedAt !== null) throw deleted();
        const expiresAt = newExpiryOf(link, request, dependencies.clock());
        if (expiresAt !== undefined) changes.expiresAt = expiresAt;
        if (changes.startsAt !== undefined || changes.expiresAt !== undefined) {
          const { startsAt = link.startsAt, expiresAt = link.expiresAt } = changes;
          assertStartsBeforeExpiry({ startsAt, expiresAt });
        }
        const alias = newAliasOf(link, request, call.account.id, dependencies);
        if (alias !== undefined) {
          if (await isTaken(alias, link, dependencies)) {
            const { settings, store, clock } = dependencies;
            if (store.blocks.link.has(link.id)) throw linkBlocked();
            const quota = monthlyQuotaOf(call.account, settings);
            await assertQuotaLeft({ accountId: call.account.id, quota, now: clock() }, store);
            throw await aliasTaken(alias, dependencies);
          }
          changes.alias = alias;
        }
        // Last, because hashing is expensive, and only once.
        if (typeof request.password === 'string') {
          changes.passwordHash ??= await hashPassword(request.password, call, dependencies);
        }
        return Object.keys(changes).length > 0 ? changes : undefined;
      },
      dependencies,
    );
  const tells =
    (request.customAlias !== undefined || request.domain !== undefined) &&
    !isReserved(request.customAlias ?? '');
  return tells ? dependencies.aliasAnswers.ask(call, edit) : edit();
}

function hashPassword(
  password: string,
  call: LinkCall,
  { edits, passwords }: Pick<EditLinkDependencies, 'edits' | 'passwords'>,
): Promise<string> {
  edits.takePassword(call);
  return passwords.hash(password, call.account.id, call.address);
}

/**
 * The alias that a link gets, as the store has it; undefined if it keeps its own. One that it has never had
 * needs a domain that the account can use, also if the link is on another one.
 *
 * @throws ServiceError `invalid_domain`
 */
function newAliasOf(
  link: Link,
  { customAlias, domain: host }: ParsedEditRequest,
  accountId: string,
  { domains }: Pick<EditLinkDependencies, 'domains'>,
): string | undefined {
  if (customAlias === undefined && host === undefined) return undefined;
  const { domain, alias: before } = domains.split(link.alias);
  const alias = customAlias ?? before;
  const isMoved = host !== undefined && domains.find(host) !== domain;
  const isOwn = !isMoved && aliasesOf(link).includes(domains.qualify(domain, alias).toLowerCase());
  const place = isOwn ? domain : usableDomain(host ?? domain.host, accountId, domains);
  return domains.qualify(place, alias);
}

/**
 * The expiry that a link gets; undefined if it keeps its own, which may be in the past.
 *
 * @throws see `resolveExpiry`
 */
function newExpiryOf(
  { expiresAt }: Link,
  request: ParsedEditRequest,
  now: number,
): number | null | undefined {
  if (EXPIRY_FIELDS.every((field) => request[field] === undefined)) return undefined;
  const sent = request.expiresAt;
  const isOwn = typeof sent === 'string' && Date.parse(sent) === expiresAt;
  return isOwn ? undefined : resolveExpiry(request, now);
}

/** All changes but an expiry, a new password, which has to be hashed, and a new alias. */
function toChanges(request: ParsedEditRequest): LinkChanges {
  const { originalUrl, password } = request;
  const changes: LinkChanges = {
    ...(originalUrl && { originalUrl: originalUrl.text, targetUrl: originalUrl.url.href }),
    ...toFieldChanges(request),
  };
  if (password === null) changes.passwordHash = null;
  const { startsAt } = request;
  if (startsAt !== undefined) changes.startsAt = startsAt === null ? null : Date.parse(startsAt);
  if (request.isActive !== undefined) changes.isActive = request.isActive;
  return changes;
}

/** Whether the alias is certainly not to be had. The store has the final say. */
async function isTaken(
  alias: string,
  { id }: Link,
  { store }: Pick<EditLinkDependencies, 'store'>,
): Promise<boolean> {
  if (isReserved(alias)) return true;
  const holder = await store.findLink(alias);
  return holder !== undefined && holder.id !== id;
}

function deleted(): ServiceError {
  return new ServiceError('link_gone', 'The link is deleted. Restore it first.');
}
