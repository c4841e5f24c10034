import { expect, test } from 'vitest';
import type { ExportedLink } from '../../../shared/links/transfer.ts';
import { RELEASED, readReleased } from '../../fixtures/formats/released.ts';
import { exportFile, importFile, startWithAccount } from './support.ts';

test.each(RELEASED)('an export of Curt %s is imported with every value', async (version) => {
  const { service, token } = await startWithAccount();
  // No time of the file may be in the future.
  await service.clock.advance(1000);
  const file = await readReleased(version, 'export.json');
  const report = await importFile(service, undefined, file, { token });
  const exported: ExportedLink[] = JSON.parse(file).links;
  expect(report.results.filter(({ status }) => status !== 'imported')).toEqual([]);
  const again = JSON.parse(await exportFile(service, { secrets: 'true' }, token)).links;
  const byAlias = new Map(again.map((link: ExportedLink) => [link.alias, link]));
  // The report says that nobody here knows what a newer version has stored.
  for (const { id: _, newerFields: _newer, ...link } of exported) {
    expect(byAlias.get(link.alias)).toMatchObject(link);
  }
});
