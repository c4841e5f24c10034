import { newId } from '../../lib/random-bytes.ts';
import type { Authorization } from '../../store/account.ts';
import type { NewLink, Room } from '../../store/link.ts';
import { toStoredFields } from '../plain-fields.ts';
import type { PlacedLink } from './place-link.ts';

type ContentOptions = {
  link: PlacedLink;
  importKey: string;
  accountId: string;
  now: number;
};

type Options = ContentOptions & {
  /** `IMPORT_MAX_LINKS`. */
  maxLinks: number;
  by: Authorization;
  room: Room;
  randomBytes: (size: number) => Buffer;
};

/** The link to add, without aliases to try. */
export function toNewLink(options: Options): NewLink {
  const { maxLinks, by, room, randomBytes } = options;
  return {
    by,
    link: { id: newId(randomBytes), ...toLinkFields(options) },
    aliases: [],
    newAccount: null,
    idempotency: null,
    quota: maxLinks,
    room,
  };
}

/** What is stored of the link, without its id and its alias. */
export function toLinkFields({ link, importKey, accountId, now }: ContentOptions) {
  // Clocks differ, and a list begins with the newest link.
  const created = Math.min(link.created ?? now, now);
  const modified = Math.max(created, Math.min(link.modified ?? created, now));
  return {
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
  };
}
