import { BASE } from './router.ts';

/** The form for a new link. */
export const CREATE = '/create';

/** The page with the statistics of a link. */
export const LINK_STATISTICS = '/links/:alias/statistics';
const PATTERN = /^\/links\/([^/]+)\/statistics$/;

/** The path of a link's statistics, with `/dashboard`. */
export function linkStatisticsPath(alias: string): string {
  return BASE + LINK_STATISTICS.replace(':alias', encodeURIComponent(alias));
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
