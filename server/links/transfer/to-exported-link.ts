import type { ExportedLink } from '../../../shared/links/transfer.ts';
import type { ShortDomains } from '../../domains/short-domains.ts';
import type { Link } from '../../store/link.ts';
import { toRecordFields } from '../plain-fields.ts';
import { isoTime, toAliasFields } from '../to-link-record.ts';

/** @param withSecrets whether to include the hash of the password and `newerFields` */
export function toExportedLink(
  link: Link,
  domains: ShortDomains,
  withSecrets: boolean,
): ExportedLink {
  return {
    id: link.id,
    ...toAliasFields(link, domains),
    originalUrl: link.originalUrl,
    ...toRecordFields(link),
    startsAt: link.startsAt === null ? null : isoTime(link.startsAt),
    hasPassword: link.passwordHash !== null,
    ...(withSecrets && { passwordHash: link.passwordHash }),
    ...(withSecrets && link.newerFields && { newerFields: link.newerFields }),
    expiresAt: link.expiresAt === null ? null : isoTime(link.expiresAt),
    hits: link.hits,
    isActive: link.isActive,
    created: isoTime(link.created),
    modified: isoTime(link.editedAt ?? link.created),
  };
}
