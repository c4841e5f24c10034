import type { LinkSummary } from '../../extension/links/link.ts';

/** The links in the list, newest first. */
const LINKS: [alias: string, title: string, address: string, more?: Partial<LinkSummary>][] = [
  [
    'lights',
    'The lighthouses of the northern coast',
    'https://coast.example.com/stories/lighthouses-of-the-northern-coast',
  ],
  [
    'launch',
    'Launch plan, third draft',
    'https://docs.example.org/team/plans/launch-plan-third-draft',
    { hasPassword: true, expiresAt: '2035-01-31T12:00:00.000Z' },
  ],
  [
    'w3kd9pa',
    'Timetable of the night trains',
    'https://rail.example.net/timetables/night?from=2026-12',
  ],
  [
    'festival',
    'Winter festival: program and tickets',
    'https://city.example.org/culture/winter-festival/program-and-tickets',
    { waitTimerSeconds: 5 },
  ],
  [
    'q7mzt4e',
    'Bread with long fermentation',
    'https://kitchen.example.com/recipes/bread-with-long-fermentation',
  ],
  ['report', 'Report on the harbor’s water', 'https://harbor.example.org/reports/2026/water.html'],
];

/** The links as the extension stores them, for the server at `origin`. */
export function savedLinks(origin: string): Record<string, object> {
  const items = LINKS.map(([alias, title, originalUrl, more], index) => {
    const link: LinkSummary = {
      shortUrl: `${origin}/${alias}`,
      originalUrl,
      title,
      created: new Date(Date.UTC(2026, 10, 20 - index, 9, 12 + 7 * index)).toISOString(),
      expiresAt: null,
      hasPassword: false,
      waitTimerSeconds: 0,
      ...more,
    };
    return [`links:${origin} ${originalUrl}`, { version: 1, list: [link] }];
  });
  return Object.fromEntries(items);
}
