import {
  type ParsedEditRequest,
  READ_ONLY_FIELDS,
  type ReadOnlyField,
} from '../../../shared/links/edit-request.ts';
import type { CreatedLinkRecord } from '../../../shared/links/link-record.ts';
import { EXPIRY_FIELDS } from '../../../shared/links/shorten-request.ts';
import type { Passwords } from '../../accounts/passwords.ts';
import { assertQuotaLeft, monthlyQuotaOf } from '../../accounts/quota.ts';
import { isReserved, usableDomain } from '../../domains/short-domains.ts';
import { assertReadOnly, isUnchanged } from '../../lib/read-only.ts';
import type { AliasAnswers } from '../../limits/client-limits.ts';
import type { Link } from '../../store/link.ts';
import type { LinkChanges } from '../../store/link-calls.ts';
import { aliasesOf } from '../../store/rules/aliases.ts';
import { aliasConflict } from '../aliases.ts';
import {
  assertStartsBeforeExpiry,
  assertSupported,
  resolveExpiry,
  type SupportDependencies,
} from '../allowed-fields.ts';
import { qrDataUrl } from '../qr-code.ts';
import { toFieldChanges } from '../to-link-record.ts';
import {
  editOwnLink,
  type LinkCall,
  linkBlocked,
  linkDeleted,
  type OwnLinkDependencies,
} from './own-link.ts';

/**
 * Lets a record be sent back, also if people have visited the link since.
 *
 * @param toRecord the record of the link as it is, with the token of the caller
 * @throws ServiceError `invalid_request` for each read-only field with another value
 */
export function assertReadOnlyUnchanged(
  request: ParsedEditRequest,
  toRecord: () => CreatedLinkRecord,
) {
  const names = READ_ONLY_FIELDS.filter((name) => request[name] !== undefined);
  if (names.length === 0) return;
  const record = toRecord();
  const sent = Object.fromEntries(names.map((name) => [name, request[name]]));
  assertReadOnly(sent, (name, value) => isAsNow(name as ReadOnlyField, value, record));
}

function isAsNow(name: ReadOnlyField, sent: unknown, record: CreatedLinkRecord): boolean {
  switch (name) {
    // They grow with visits, so what was read before may be less.
    case 'hits':
      return typeof sent === 'number' && sent >= 0 && sent <= record.hits;
    // Only in some responses.
    case 'newAuthToken':
      return sent === record.authToken;
    // Of the request that got the record, not of the link.
    case 'isReused':
      return typeof sent === 'boolean';
    case 'qrCode':
      return sent === qrDataUrl(record.shortUrl);
    default:
      return isUnchanged(name, sent, record[name]);
  }
}

export type EditLinkDependencies = OwnLinkDependencies & {
  aliasAnswers: Pick<AliasAnswers, 'ask'>;
} & SupportDependencies & { passwords: Pick<Passwords, 'hash'> };

/**
 * Carries out `PATCH /api/links/:alias`. Without any field, the link stays as it is.
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
        if (link.deletedAt !== null) throw linkDeleted();
        Object.assign(changes, expiryChange(link, request, changes, dependencies.clock()));
        Object.assign(changes, await aliasChange(link, request, call, dependencies));
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

type Expiry = Pick<ParsedEditRequest, (typeof EXPIRY_FIELDS)[number]>;

/**
 * Returns the change of a link's expiry, if there is one.
 *
 * @param others what else changes
 * @throws see `resolveExpiry`, and `assertStartsBeforeExpiry`
 */
export function expiryChange(
  link: Link,
  request: Expiry,
  others: Pick<LinkChanges, 'startsAt'>,
  now: number,
): Pick<LinkChanges, 'expiresAt'> {
  const expiresAt = newExpiryOf(link, request, now);
  if (others.startsAt !== undefined || expiresAt !== undefined) {
    const { startsAt = link.startsAt } = others;
    assertStartsBeforeExpiry({
      startsAt,
      expiresAt: expiresAt === undefined ? link.expiresAt : expiresAt,
    });
  }
  return expiresAt === undefined ? {} : { expiresAt };
}

/**
 * Returns the change of a link's alias, or of the domain that it is on, if there is one.
 *
 * @throws ServiceError `invalid_domain`, `alias_taken`, `link_blocked`, `quota_exceeded`
 */
export async function aliasChange(
  link: Link,
  request: Place,
  { account }: Pick<LinkCall, 'account'>,
  dependencies: OwnLinkDependencies,
): Promise<Pick<LinkChanges, 'alias'>> {
  const alias = newAliasOf(link, request, account.id, dependencies);
  if (alias === undefined) return {};
  const conflict = await aliasConflict(alias, account.id, dependencies, link);
  if (!conflict) return { alias };
  const { settings, store, clock } = dependencies;
  if (store.blocks.link.has(link.id)) throw linkBlocked();
  const quota = monthlyQuotaOf(account, settings);
  await assertQuotaLeft({ accountId: account.id, quota, now: clock() }, store);
  throw conflict;
}

function hashPassword(
  password: string,
  call: LinkCall,
  { edits, passwords }: Pick<EditLinkDependencies, 'edits' | 'passwords'>,
): Promise<string> {
  edits.takePassword(call);
  return passwords.hash(password, call.account.id, call.address);
}

type Place = Pick<ParsedEditRequest, 'customAlias' | 'domain'>;

/**
 * The alias that a link gets, as the store has it; undefined if it keeps its own. One that it has never had
 * needs a domain that the account can use, also if the link is on another one.
 *
 * @throws ServiceError `invalid_domain`
 */
function newAliasOf(
  link: Link,
  { customAlias, domain: host }: Place,
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
function newExpiryOf({ expiresAt }: Link, request: Expiry, now: number): number | null | undefined {
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
