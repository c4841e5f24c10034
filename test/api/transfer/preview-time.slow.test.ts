import { expect, test } from 'vitest';
import { importFile, startWithAccount } from './support.ts';

test('a preview of 10,000 rows takes at most three times as long per row as one of 1,000', async () => {
  const { service, token } = await startWithAccount();
  /** Processor time of a row, in microseconds. */
  const timeOfRow = async (rows: number) => {
    const table = Array.from({ length: rows }, (_, index) => {
      const url = `https://example.com/${index}`;
      return `https://go.example/${index},${url},Title ${index},2026-01-01 10:00`;
    });
    const file = ['Short link,Long URL,Title,Created', ...table].join('\n');
    const before = process.cpuUsage();
    const report = await importFile(service, undefined, file, {
      ...{ token, type: 'text/csv', dryRun: true },
    });
    const { user, system } = process.cpuUsage(before);
    expect(report.rows).toBe(rows);
    return (user + system) / rows;
  };
  // What is compiled on first use takes longer.
  await timeOfRow(1000);
  const few = await timeOfRow(1000);
  expect(await timeOfRow(10_000)).toBeLessThan(3 * few);
});
