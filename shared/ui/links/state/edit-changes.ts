import type { RecordDestinations } from '../../../links/destinations.ts';
import type { EditRequest } from '../../../links/edit-request.ts';
import type { PlainField } from '../../../links/fields.ts';
import {
  aliasOf,
  destinationsOf,
  hostOf,
  plainValuesOf,
  type ShownLink,
} from '../../../links/shown-link.ts';

/** A link as it looks once these changes are made, as far as this page can tell. */
export function withChanges(link: ShownLink, changes: EditRequest): ShownLink {
  const { isActive, tags } = changes;
  if (!link.serverState) return link;
  const serverState = { ...link.serverState };
  if (tags !== undefined) serverState.tags = tags;
  if (isActive !== undefined) serverState.status = isActive ? undefined : 'inactive';
  return { ...link, serverState };
}

/** The changes that undo others. A password can't come back: nobody can read it. */
export function inverseOf(changes: EditRequest, before: ShownLink): EditRequest | undefined {
  const { serverState } = before;
  if (!serverState || changes.password !== undefined) return undefined;
  const previous: Required<
    Pick<
      EditRequest,
      | 'originalUrl'
      | 'customAlias'
      | 'domain'
      | PlainField
      | keyof RecordDestinations
      | 'expiresAt'
      | 'maxVisits'
      | 'isActive'
    >
  > = {
    originalUrl: before.originalUrl,
    customAlias: aliasOf(before),
    domain: hostOf(before),
    ...plainValuesOf(before),
    ...destinationsOf(before),
    expiresAt: before.expiresAt,
    maxVisits: serverState.maxVisits ?? null,
    isActive: serverState.status !== 'inactive',
  };
  const names = Object.keys(changes).filter((name) => name in previous);
  return Object.fromEntries(names.map((name) => [name, previous[name as keyof typeof previous]]));
}
