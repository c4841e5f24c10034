import type { StatisticsReport } from '../../../../../shared/statistics.ts';

/** A report of two days in Berlin, on the second of which clocks are set forward. */
export function aReport(change: Partial<StatisticsReport> = {}): StatisticsReport {
  return {
    from: '2026-03-27T23:00:00.000Z',
    to: '2026-03-29T22:00:00.000Z',
    unit: 'day',
    timeZone: 'Europe/Berlin',
    isRecording: true,
    totals: { people: 5, uniquePeople: 4, previews: 2, bots: 1 },
    previous: { people: 0, uniquePeople: 0, previews: 0, bots: 0 },
    series: [
      { start: '2026-03-27T23:00:00.000Z', people: 4, uniquePeople: 3, previews: 2, bots: 1 },
      { start: '2026-03-28T23:00:00.000Z', people: 1, uniquePeople: 1, previews: 0, bots: 0 },
    ],
    valuesFrom: '2026-03-28T00:00:00.000Z',
    valuesTo: '2026-03-30T00:00:00.000Z',
    referrers: [
      { key: 'direct', people: 3 },
      { key: 'news.example', people: 2 },
    ],
    browsers: [{ key: 'Firefox', people: 5 }],
    systems: [{ key: 'unknown', people: 5 }],
    devices: [{ key: 'mobile', people: 5 }],
    countries: [
      { key: 'DE', people: 4 },
      { key: 'other', people: 1 },
    ],
    ...change,
  };
}
