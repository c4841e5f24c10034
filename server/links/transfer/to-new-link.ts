import { newId } from '../../lib/random-bytes.ts';
import type { Authorization } from '../../store/account.ts';
import type { NewLink } from '../../store/link.ts';
import { toStoredFields } from '../plain-fields.ts';
import type { PlacedLink } from './place-link.ts';

type Options = {
  link: PlacedLink;
  importKey: string;
  /** `IMPORT_MAX_LINKS`. */
  maxLinks: number;
  accountId: string;
  by: Authorization;
  now: number;
  randomBytes: (size: number) => Buffer;
};

/** The link to add, without aliases to try. */
export function toNewLink(options: Options): NewLink {
  const { link, importKey, maxLinks, accountId, by, now, randomBytes } = options;
  // Clocks differ, and a list begins with the newest link.
  const created = Math.min(link.created ?? now, now);
  const modified = Math.max(created, Math.min(link.modified ?? created, now));
  return {
    by,
    link: {
      id: newId(randomBytes),
      accountId,
      aliasIsCustom: link.aliasIsCustom,
      previousAliases: link.previousAliases,
      originalUrl: link.originalUrl.text,
      targetUrl: link.originalUrl.url.href,
      ...toStoredFields(link),
      passwordHash: link.passwordHash,
      startsAt: link.startsAt,
      expiresAt: link.expiresAt,
      isActive: link.isActive,
      hits: link.hits,
      created,
      editedAt: modified === created ? null : modified,
      importKey,
    },
    aliases: [],
    newAccount: null,
    idempotency: null,
    quota: maxLinks,
  };
}
