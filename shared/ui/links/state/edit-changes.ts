import type { EditRequest } from '../../../links/edit-request.ts';
import type { PlainField } from '../../../links/fields.ts';
import { aliasOf, plainValuesOf, type ShownLink } from '../../../links/shown-link.ts';

/** A link as it looks once these changes are made, as far as this page can tell. */
export function withChanges(link: ShownLink, changes: EditRequest): ShownLink {
  const { isActive, tags } = changes;
  if (!link.managed) return link;
  const managed = { ...link.managed };
  if (tags !== undefined) managed.tags = tags;
  if (isActive !== undefined) managed.status = isActive ? undefined : 'inactive';
  return { ...link, managed };
}

/** The changes that undo others. A password can't come back: nobody can read it. */
export function inverseOf(changes: EditRequest, before: ShownLink): EditRequest | undefined {
  const { managed } = before;
  if (!managed || changes.password !== undefined) return undefined;
  const previous: Required<
    Pick<
      EditRequest,
      'originalUrl' | 'customAlias' | PlainField | 'expiresAt' | 'maxVisits' | 'isActive'
    >
  > = {
    originalUrl: before.originalUrl,
    customAlias: aliasOf(before),
    ...plainValuesOf(before),
    expiresAt: before.expiresAt,
    maxVisits: managed.maxVisits ?? null,
    isActive: managed.status !== 'inactive',
  };
  const names = Object.keys(changes).filter((name) => name in previous);
  return Object.fromEntries(names.map((name) => [name, previous[name as keyof typeof previous]]));
}
