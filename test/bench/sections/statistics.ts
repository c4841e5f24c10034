import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Bench } from '../bench.ts';
import { compare } from '../compare.ts';
import { aliasOf, fillFolder, newFolder } from '../folders.ts';
import type { Requests } from '../load/wrk.ts';
import { CURT, Server } from '../servers.ts';
import { comparisonRow } from '../table.ts';
import { BROWSER, PLAIN_LINKS } from './redirects.ts';

/** What statistics add to a redirect, if every visit is by a person, of many links or of one. */
export async function benchStatistics({ plan, report, folders }: Bench): Promise<void> {
  const pathsFolder = folders.add(newFolder());
  const start = (statistics: 'on' | 'off') =>
    Server.start(CURT, [], {
      STORE_URL: `file:${folders.add(fillFolder(PLAIN_LINKS))}`,
      LOG_LEVEL: 'warn',
      STATISTICS: statistics,
    });
  const [on, off] = [await start('on'), await start('off')];
  for (const [name, links] of [
    ['10,000 links', PLAIN_LINKS],
    ['one link', 1],
  ] as const) {
    const paths = join(pathsFolder, `${links}`);
    const aliases = Array.from({ length: links }, (_, index) => `/${aliasOf(index)}`);
    writeFileSync(paths, aliases.sort(() => Math.random() - 0.5).join('\n'));
    const requests: Requests = { method: 'GET', paths, userAgent: BROWSER };
    const sides = [
      { server: on, requests },
      { server: off, requests },
    ] as const;
    const comparison = await compare(...sides, plan);
    const what = `redirect with statistics, ${name}, beside the same without`;
    report(comparisonRow(what, comparison, '≥ 0.87'));
  }
  await Promise.all([on.stop(), off.stop()]);
}
