import type { Explained, Result } from '../../../client.ts';
import type { EditRequest } from '../../../links/edit-request.ts';
import type { LinkRecord } from '../../../links/link-record.ts';
import { linkFailureText } from '../link-failure-text.ts';
import type { LinkSource } from '../link-source.ts';
import type { Loading } from './loading.ts';

/** An edit of a link: its fields, and the link before and after it. */
export type Edit = { changes: EditRequest; before: LinkRecord; after: LinkRecord };

const OVERTAKEN = 'version_mismatch';

/**
 * Undoes an edit in the fields that still have its values: what was edited since stays. Fails with
 * `version_mismatch` if there are none.
 */
export function revertEdit(
  tools: { source: LinkSource; loading: Loading },
  { changes, before, after }: Edit,
): Promise<Result<LinkRecord, Explained>> {
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
  link: LinkRecord,
  toChanges: (now: LinkRecord) => EditRequest | undefined,
): Promise<Result<LinkRecord, Explained>> {
  const overtaken = { ok: false, code: OVERTAKEN, text: linkFailureText(OVERTAKEN) ?? '' } as const;
  const now = loading.find(link.id) ?? link;
  const changes = toChanges(now);
  if (!changes) return overtaken;
  const edited = await source.edit(now, changes, { isConditional: true });
  if (edited.ok || !edited.current) return edited;
  const again = toChanges(edited.current);
  return again ? source.edit(edited.current, again, { isConditional: true }) : overtaken;
}

/** Returns a link as it looks once these changes are made, as far as this page can tell. */
export function withChanges(
  link: LinkRecord,
  { isActive, tags, expiresAt }: EditRequest,
): LinkRecord {
  return {
    ...link,
    ...(tags && { tags }),
    ...(expiresAt !== undefined && { expiresAt }),
    ...(isActive !== undefined && { isActive, status: isActive ? 'active' : 'inactive' }),
  };
}

/** Returns the changes that undo others. A password can't come back: nobody can read it. */
export function inverseOf(changes: EditRequest, before: LinkRecord): EditRequest | undefined {
  if (changes.password !== undefined) return undefined;
  const previous = { ...before, customAlias: before.alias };
  const names = Object.keys(changes)
    .map(fieldOf)
    .filter((name) => name in previous);
  return Object.fromEntries(names.map((name) => [name, previous[name as keyof typeof previous]]));
}

/** Returns the field of a link that a field of a request sets: a duration sets the time of the expiry. */
function fieldOf(name: string): string {
  return name.startsWith('expiresIn') ? 'expiresAt' : name;
}
