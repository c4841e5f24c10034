import { expect, test } from 'vitest';
import { selectExported } from '../../../shared/links/exported-file.ts';
import { dataOf } from '../../support/data-of.ts';
import { startRealServer } from '../support/real-server.ts';

const DESCRIPTION = '=1+1, "quoted"\n-2';

test.each(['json', 'csv'] as const)(
  'of selected links, a %s export has those that are not deleted',
  async (format) => {
    const server = await startRealServer();
    const link = (customAlias: string) => ({
      ...{ originalUrl: 'https://example.com', description: DESCRIPTION },
      customAlias,
    });
    const token = await server.create(link('first'));
    for (const alias of ['second', 'third']) await server.create(link(alias), token);
    await server.client.deleteLink({ alias: 'second', token });
    const exported = dataOf(await server.client.exportLinks({ token, format, secrets: false }));
    const { file, found } = selectExported(
      await exported.text(),
      format,
      new Set(['first', 'second'].map((alias) => `${server.origin}/${alias}`)),
    );
    expect(found).toBe(1);
    expect(file.startsWith('\ufeff"')).toBe(format === 'csv');
    const other = await startRealServer();
    const report = await other.client.importLinks({
      token: await other.create(link('other')),
      file,
    });
    expect(dataOf(report).results).toMatchObject([{ status: 'imported', alias: 'first' }]);
    expect(await other.store.findLink('first')).toMatchObject({ description: DESCRIPTION });
  },
);
