/**
 * Returns the ETag of a link's record, for `If-Match`: it names the version, so it changes with each edit. Visits
 * do not change it. With the ID, because another link can get the same alias later.
 *
 * @see docs/api.md, "Manage links"
 */
export function linkEtag({ id, version }: { id: string; version: number }): string {
  return `"${id}.${version}"`;
}
