import type { Destinations } from '../../shared/links/destinations.ts';
import type { PlainValues } from '../../shared/links/fields.ts';
import type { Link, LinkChanges, LinkFields } from '../store/link.ts';

/** What records have as stores do. */
type SameFields = PlainValues & Destinations & Pick<Link, 'maxVisits'>;

/** By their names in the store, so that none can be forgotten. */
type StoredNames =
  | Exclude<keyof SameFields, 'waitTimer' | 'customGtmId'>
  | Extract<keyof Link, 'waitTimer' | 'customGtmId'>;

/** As requests have them: what is absent has its default, or stays as it is. */
type SentFields = { [K in keyof SameFields]?: SameFields[K] | undefined };

/** These fields as the store has them. */
export function toStoredFields(sent: SentFields) {
  return {
    title: sent.title,
    tags: sent.tags,
    waitTimer: sent.waitTimer,
    forwardQuery: sent.forwardQuery,
    hideUntilStart: sent.hideUntilStart,
    // One value means that there is none.
    description: sent.description === '' ? null : sent.description,
    customGtmId: sent.customGtmId,
    maxVisits: sent.maxVisits,
    rules: sent.rules,
    goneUrl: sent.goneUrl,
    card: sent.card,
  } satisfies { [K in StoredNames]: LinkFields[K] };
}

/** What an edit changes of them. */
export function toFieldChanges(sent: SentFields): LinkChanges {
  const changes = Object.entries(toStoredFields(sent));
  return Object.fromEntries(changes.filter(([, value]) => value !== undefined));
}

/** These fields of a record. */
export function toRecordFields(link: Link): SameFields {
  return {
    title: link.title,
    tags: link.tags,
    waitTimer: link.waitTimer,
    forwardQuery: link.forwardQuery,
    hideUntilStart: link.hideUntilStart,
    description: link.description,
    customGtmId: link.customGtmId,
    maxVisits: link.maxVisits,
    rules: link.rules,
    goneUrl: link.goneUrl,
    card: link.card,
  };
}
