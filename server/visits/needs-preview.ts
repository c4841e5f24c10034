import type { Settings } from '../config.ts';
import type { Link } from '../store/link.ts';

type Dependencies = { settings: Pick<Settings, 'customGtm'> };

/** The link's container, unless containers are disabled on this server. */
export function containerOf({ containerId }: Link, { settings }: Dependencies): string | null {
  return settings.customGtm === 'off' ? null : containerId;
}

/** Whether there is a page between the short link and its target. */
export function needsPreview(link: Link, dependencies: Dependencies): boolean {
  return link.waitTimerSeconds > 0 || containerOf(link, dependencies) !== null;
}
