import type { ExportedLink } from '../../../shared/links/transfer.ts';
import type { ShortDomain } from '../../lib/short-domain.ts';
import type { Link } from '../../store/link.ts';
import { toRecordFields } from '../plain-fields.ts';
import { isoTime, shortUrl } from '../to-link-record.ts';

/** @param withSecrets whether to include the hash of the password */
export function toExportedLink(
  link: Link,
  shortDomain: ShortDomain,
  withSecrets: boolean,
): ExportedLink {
  return {
    id: link.id,
    shortUrl: shortUrl(link, shortDomain),
    alias: link.alias,
    customAlias: link.aliasIsCustom ? link.alias : '',
    previousAliases: link.previousAliases,
    originalUrl: link.originalUrl,
    ...toRecordFields(link),
    hasPassword: link.passwordHash !== null,
    ...(withSecrets && { passwordHash: link.passwordHash }),
    expiresAt: link.expiresAt === null ? null : isoTime(link.expiresAt),
    maxVisits: link.maxVisits,
    hits: link.hits,
    isActive: link.isActive,
    created: isoTime(link.created),
    modified: isoTime(link.modified),
  };
}
