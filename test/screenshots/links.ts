/** The account's links, newest first, as a table to import. */
const LINKS: [alias: string, title: string, originalUrl: string, more?: Columns][] = [
  [
    'lights',
    'The lighthouses of the northern coast',
    'https://coast.example.com/stories/lighthouses-of-the-northern-coast',
    { tags: 'Travel', hits: '214' },
  ],
  [
    'launch',
    'Launch plan, third draft',
    'https://docs.example.org/team/plans/launch-plan-third-draft',
    { expiresAt: '2035-01-31T12:00:00.000Z', hits: '9' },
  ],
  [
    'w3kd9pa',
    'Timetable of the night trains',
    'https://rail.example.net/timetables/night?from=2026-12',
    { tags: 'Travel', hits: '37' },
  ],
  [
    'festival',
    'Winter festival: program and tickets',
    'https://city.example.org/culture/winter-festival/program-and-tickets',
    { waitTimer: '5', tags: 'Culture|Print', hits: '1062' },
  ],
  [
    'q7mzt4e',
    'Bread with long fermentation',
    'https://kitchen.example.com/recipes/bread-with-long-fermentation',
    { hits: '3' },
  ],
  ['report', 'Report on the harbor’s water', 'https://harbor.example.org/reports/2026/water.html'],
];

type Columns = Partial<Record<'tags' | 'hits' | 'expiresAt' | 'waitTimer', string>>;
const COLUMNS = [
  'alias',
  'title',
  'originalUrl',
  'created',
  'tags',
  'hits',
  'expiresAt',
  'waitTimer',
];

/** The links as a CSV file that `POST /api/links/import?from=csv` reads. */
export function linksTable(): string {
  const rows = LINKS.map(([alias, title, originalUrl, more], index) => {
    const created = new Date(Date.UTC(2026, 10, 20 - index, 9, 12 + 7 * index)).toISOString();
    const row: Record<string, string> = { alias, title, originalUrl, created, ...more };
    return COLUMNS.map((name) => `"${row[name] ?? ''}"`).join(',');
  });
  return [COLUMNS.join(','), ...rows].join('\n');
}
