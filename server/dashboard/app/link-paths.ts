import { BASE } from './router.ts';

/** The form for a new link. */
export const CREATE = '/create';

/** The page with the statistics of a link. */
export const LINK_STATISTICS = '/links/:alias/statistics';
const PATTERN = /^\/links\/([^/]+)\/statistics$/;

/** The path of a link's statistics, with `/dashboard`. @param alias as `pathNameOf` names a link */
export function linkStatisticsPath(alias: string): string {
  return BASE + LINK_STATISTICS.replace(':alias', encodeURIComponent(alias));
}

/** The query parameter of the list that names a link to edit. */
export const EDITED_ALIAS = 'edit';

/** The path of the list with the form for a link open, with `/dashboard`. @param address see `addressOf` */
export function editLinkPath(address: string): string {
  return `${BASE}?${new URLSearchParams({ [EDITED_ALIAS]: address })}`;
}

/** The alias in the path of a link's statistics; undefined in other paths. */
export function aliasIn(path: string): string | undefined {
  const [, alias] = PATTERN.exec(path) ?? [];
  try {
    return alias && decodeURIComponent(alias);
  } catch {
    return undefined;
  }
}
