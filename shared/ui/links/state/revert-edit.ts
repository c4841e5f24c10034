import type { EditRequest } from '../../../links/edit-request.ts';
import { keyOf, type ShownLink } from '../../../links/shown-link.ts';
import { linkFailureText } from '../failure-text.ts';
import type { LinkSource, Outcome } from '../link-source.ts';
import { inverseOf } from './edit-changes.ts';
import type { Loading } from './loading.ts';

/** An edit of a link: its fields, and the link before and after it. */
export type Edit = { changes: EditRequest; before: ShownLink; after: ShownLink };

const OVERTAKEN = 'version_mismatch';

/**
 * Undoes an edit in the fields that still have its values: what was edited since stays. Fails with
 * `version_mismatch` if there are none.
 */
export function revertEdit(
  tools: { source: LinkSource; loading: Loading },
  { changes, before, after }: Edit,
): Promise<Outcome<ShownLink>> {
  const previous = Object.entries(inverseOf(changes, before) ?? {});
  const ours: Record<string, unknown> = inverseOf(changes, after) ?? {};
  return editCurrent(tools, after, (now) => {
    const current: Record<string, unknown> = inverseOf(changes, now) ?? {};
    const isOurs = (name: string) => JSON.stringify(current[name]) === JSON.stringify(ours[name]);
    const left = previous.filter(([name]) => isOurs(name));
    return left.length > 0 ? Object.fromEntries(left) : undefined;
  });
}

/**
 * Edits a link as it is now, once more if it was edited meanwhile.
 *
 * @param toChanges undefined if there is nothing left to change
 */
export async function editCurrent(
  { source, loading }: { source: LinkSource; loading: Loading },
  link: ShownLink,
  toChanges: (now: ShownLink) => EditRequest | undefined,
): Promise<Outcome<ShownLink>> {
  const overtaken = { ok: false, code: OVERTAKEN, text: linkFailureText(OVERTAKEN) ?? '' } as const;
  const now = loading.find(keyOf(link)) ?? link;
  const changes = toChanges(now);
  if (!changes) return overtaken;
  const edited = await source.edit(now, changes, { isConditional: true });
  if (edited.ok || !edited.current) return edited;
  const again = toChanges(edited.current);
  return again ? source.edit(edited.current, again, { isConditional: true }) : overtaken;
}
