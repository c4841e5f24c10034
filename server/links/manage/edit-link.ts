import type { ParsedEditRequest } from '../../../shared/links/edit-request.ts';
import { EXPIRY_FIELDS } from '../../../shared/links/shorten-request.ts';
import type { Service } from '../../dependencies.ts';
import { isReserved } from '../../lib/reserved-aliases.ts';
import { ServiceError } from '../../lib/service-error.ts';
import type { Link, LinkChanges } from '../../store/link.ts';
import { aliasTaken } from '../aliases.ts';
import { assertSupported } from '../assert-supported.ts';
import { resolveExpiry } from '../expiry.ts';
import { toFieldChanges } from '../plain-fields.ts';
import { editOwnLink, type LinkCall } from './own-link.ts';

/**
 * The use case of `PATCH /api/links/:alias`. Without any field, the link stays as it is.
 *
 * @throws ServiceError with any code of the endpoint that is not about HTTP itself
 */
export async function editLink(
  call: LinkCall,
  request: ParsedEditRequest,
  service: Service,
): Promise<Link> {
  assertSupported(request, service);
  const changes = toChanges(request, service.clock());
  return editOwnLink(
    call,
    async (link) => {
      if (link.deletedAt !== null) throw deleted();
      const { customAlias } = request;
      if (customAlias !== undefined && (await isTaken(customAlias, link, service))) {
        throw await aliasTaken(customAlias, service);
      }
      // Last, because hashing is expensive, and only once.
      if (typeof request.password === 'string') {
        changes.passwordHash ??= await service.passwords.hash(request.password);
      }
      return Object.keys(changes).length > 0 ? changes : undefined;
    },
    service,
  );
}

/** All changes but a new password, which has to be hashed. */
function toChanges(request: ParsedEditRequest, now: number): LinkChanges {
  const { originalUrl, password, customAlias } = request;
  const changes: LinkChanges = {
    ...(originalUrl && { originalUrl: originalUrl.text, targetUrl: originalUrl.url.href }),
    ...toFieldChanges(request),
  };
  if (customAlias !== undefined) changes.alias = customAlias;
  if (password === null) changes.passwordHash = null;
  if (EXPIRY_FIELDS.some((field) => request[field] !== undefined)) {
    changes.expiresAt = resolveExpiry(request, now);
  }
  if (request.maxVisits !== undefined) changes.maxVisits = request.maxVisits;
  if (request.isActive !== undefined) changes.isActive = request.isActive;
  return changes;
}

/** Whether the alias is certainly not to be had. The store has the final say. */
async function isTaken(alias: string, { id }: Link, { store }: Service): Promise<boolean> {
  if (isReserved(alias)) return true;
  const holder = await store.findLink(alias);
  return holder !== undefined && holder.id !== id;
}

function deleted(): ServiceError {
  return new ServiceError('link_gone', 'The link is deleted. Restore it first.');
}
