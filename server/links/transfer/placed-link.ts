import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { ALIAS_PATTERN, PREVIOUS_ALIASES_MAX } from '../../../shared/limits.ts';
import type { ImportField } from '../../../shared/links/transfer.ts';
import { toStoredAlias } from '../../domains/named-domain.ts';
import { type Domain, type Domains, isUsableBy } from '../../domains/short-domains.ts';
import type { Link } from '../../store/link.ts';
import type { LinkChanges } from '../../store/link-calls.ts';
import { toSameFields } from '../link-fields.ts';
import type { ImportedLink } from './imported-link.ts';
import type { Row, RowIssue } from './meaning/to-link.ts';

/** A link of a file, with the domain that it is going to be on. */
export type PlacedLink = ImportedLink & {
  place: Domain;
  /** As the store has it. Undefined if the link has none, or one that Curt does not allow. */
  storedAlias: string | undefined;
  /** The same on the domain that its file names, if the account cannot use that one. */
  unusableAlias: string | undefined;
};

export type PlacedRow = Omit<Row, 'link'> & { link?: PlacedLink };

/** Instead of a previous alias that the account cannot have. */
export const UNUSABLE = '/';

/**
 * Places a link on the domain that its file names. A domain that the account cannot use is no reason to
 * lose the link: it gets one on that of `BASE_URL`, and the report says so.
 */
export function placeRow({ link, ...row }: Row, accountId: string, domains: Domains): PlacedRow {
  return link ? { ...row, ...placeLink(link, row.issues, accountId, domains) } : row;
}

function placeLink(
  link: ImportedLink,
  known: RowIssue[],
  accountId: string,
  domains: Domains,
): { link: PlacedLink; issues: RowIssue[] } {
  const find = (name: string) => {
    const domain = domains.find(name);
    return domain && isUsableBy(domain, accountId) ? domain : undefined;
  };
  const named = link.domain === null ? domains.first : domains.find(link.domain);
  const isUsable = named !== undefined && isUsableBy(named, accountId);
  const place = isUsable ? named : domains.first;
  const toStored = (domain: Domain) =>
    ALIAS_PATTERN.test(link.alias) ? domains.qualify(domain, link.alias) : undefined;
  const toPrevious = (text: string) => {
    const slash = text.lastIndexOf('/');
    const isPlaceable = slash === -1 || find(text.slice(0, slash)) !== undefined;
    const isAlias = ALIAS_PATTERN.test(text.slice(slash + 1));
    return isPlaceable && isAlias ? toStoredAlias(text, place, domains) : UNUSABLE;
  };
  const issues = [...known];
  if (!isUsable) {
    const message = `The account cannot use the domain "${link.domain}", so the link is on ${place.host}.`;
    issues.unshift({ field: 'domain', message });
  }
  if (link.previousAliases.length > PREVIOUS_ALIASES_MAX) {
    const message = `Only the first ${PREVIOUS_ALIASES_MAX} previous aliases are kept.`;
    issues.push({ field: 'previousAliases', message });
  }
  const placed = {
    ...link,
    place,
    storedAlias: toStored(place),
    unusableAlias: named && !isUsable ? toStored(named) : undefined,
    previousAliases: link.previousAliases.slice(0, PREVIOUS_ALIASES_MAX).map(toPrevious),
  };
  return { link: placed, issues };
}

/** 96 bits. Stored with each imported link, and compared within one account only. */
const KEY_BYTES = 12;

/** Identifies a link of another service by what does not change there. */
export function toImportKey({ alias, domain, originalUrl, created }: PlacedLink): string {
  return createHash('sha256')
    .update(JSON.stringify([domain, alias, originalUrl.text, created]))
    .digest()
    .subarray(0, KEY_BYTES)
    .toString('base64url');
}

type ContentOptions = {
  link: PlacedLink;
  importKey: string;
  importId: string;
  accountId: string;
  now: number;
};

/** Returns what is stored of the link, without its id and its alias. */
export function toLinkFields({ link, importKey, importId, accountId, now }: ContentOptions) {
  // Clocks differ, and a list begins with the newest link.
  const created = Math.min(link.created ?? now, now);
  const modified = Math.max(created, Math.min(link.modified ?? created, now));
  return {
    accountId,
    aliasIsCustom: link.aliasIsCustom,
    previousAliases: link.previousAliases,
    originalUrl: link.originalUrl.text,
    targetUrl: link.originalUrl.url.href,
    ...toSameFields(link),
    passwordHash: link.passwordHash,
    startsAt: link.startsAt,
    expiresAt: link.expiresAt,
    isActive: link.isActive,
    hits: link.hits,
    created,
    editedAt: modified === created ? null : modified,
    importKey,
    importId,
  };
}

/** The fields of a file that say something of a field of the store with another name. */
const SAID_BY = new Map<string, ImportField[]>([
  ['targetUrl', ['originalUrl']],
  ['isActive', ['isActive', 'paused', 'status']],
]);
/** What a file says of a new link only. */
const NOT_EDITED = new Set(['created', 'hits', 'previousAliases', 'passwordHash']);

/** Returns what a row changes of a link that is there: the fields that its file has, as far as they differ. */
export function toRowChanges(
  content: ReturnType<typeof toLinkFields>,
  existing: Link,
  given: ReadonlySet<ImportField>,
): LinkChanges {
  const changed = Object.entries(content).filter(([name, value]) => {
    const fields = SAID_BY.get(name) ?? [name as ImportField];
    return (
      !NOT_EDITED.has(name) &&
      fields.some((field) => given.has(field)) &&
      !isDeepStrictEqual(value, existing[name as keyof typeof content])
    );
  });
  return Object.fromEntries(changed);
}
