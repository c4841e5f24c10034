import type { PlainValues } from '../../shared/links/fields.ts';
import type { Link, LinkChanges } from '../store/link.ts';

/** As requests have them: what is absent has its default, or stays as it is. */
type SentFields = { [K in keyof PlainValues]?: PlainValues[K] | undefined };

/** The plain fields of a new link as the store has them. */
export function toStoredFields(sent: SentFields) {
  return {
    title: sent.title ?? '',
    tags: sent.tags ?? [],
    waitTimerSeconds: sent.waitTimer ?? 0,
    forwardQuery: sent.forwardQuery ?? false,
    description: sent.description ?? null,
    containerId: sent.customGtmId ?? null,
  } satisfies Partial<Link>;
}

/** What an edit changes of them. */
export function toFieldChanges(sent: SentFields): LinkChanges {
  const changes: Record<keyof ReturnType<typeof toStoredFields>, unknown> = {
    title: sent.title,
    tags: sent.tags,
    waitTimerSeconds: sent.waitTimer,
    forwardQuery: sent.forwardQuery,
    description: sent.description,
    containerId: sent.customGtmId,
  };
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
}

/** The plain fields of a record. */
export function toRecordFields(link: Link): PlainValues {
  return {
    title: link.title,
    tags: link.tags,
    waitTimer: link.waitTimerSeconds,
    forwardQuery: link.forwardQuery,
    description: link.description,
    customGtmId: link.containerId,
  };
}
