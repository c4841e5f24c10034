import type { Settings } from '../config.ts';
import type { Link } from '../store/link.ts';

type Dependencies = { settings: Pick<Settings, 'customGtm'> };

/** The link's container, unless containers are disabled on this server. */
export function containerOf({ customGtmId }: Link, { settings }: Dependencies): string | null {
  return settings.customGtm === 'off' ? null : customGtmId;
}

/** Whether there is a page between the short link and its target. */
export function needsPreview(link: Link, dependencies: Dependencies): boolean {
  return link.waitTimer > 0 || containerOf(link, dependencies) !== null;
}
