import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RULES_MAX } from '../../../shared/bounds.ts';
import type { Rule } from '../../../shared/links/destinations.ts';
import type { Bench } from '../bench.ts';
import { compare } from '../compare.ts';
import { newFolder } from '../folders.ts';
import { CURT, Server } from '../servers.ts';
import { comparisonRow } from '../table.ts';
import { BROWSER } from './redirects.ts';

/** What rules add to a redirect: as many as there can be, of all kinds, of which the last one matches. */
export async function benchRules({ plan, report, folders }: Bench): Promise<void> {
  const folder = folders.add(newFolder());
  const store = `file:${join(folder, 'data')}`;
  const server = await Server.start(CURT, [], { STORE_URL: store, LOG_LEVEL: 'warn' });
  const conditions: Omit<Rule, 'originalUrl'>[] = [
    { device: 'phone' },
    { system: 'iOS', language: 'de' },
    { language: 'fr' },
    { query: { name: 'src', value: 'qr' } },
    { until: '2020-01-01T00:00:00.000Z' },
    { device: 'computer', share: 1 },
  ];
  const rules = Array.from({ length: RULES_MAX }, (_, index) => ({
    ...(index === RULES_MAX - 1
      ? { device: 'computer' as const }
      : conditions[index % conditions.length]),
    originalUrl: `https://example.com/${index}`,
  }));
  const pathsOf = (name: string) => {
    const paths = join(folder, name);
    writeFileSync(paths, `/${name}`);
    return { method: 'GET', paths, userAgent: BROWSER } as const;
  };
  for (const body of [{ customAlias: 'plain' }, { customAlias: 'ruled', rules }]) {
    const response = await fetch(`${server.baseUrl}/api/shorten`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ originalUrl: 'https://example.com/', ...body }),
    });
    if (!response.ok) throw new Error(await response.text());
  }
  const comparison = await compare(
    { server, requests: pathsOf('ruled') },
    { server, requests: pathsOf('plain') },
    plan,
  );
  const what = `redirect with ${RULES_MAX} rules, of which the last one matches, beside one without`;
  report(comparisonRow(what, comparison, '≥ 0.67'));
  await server.stop();
}
