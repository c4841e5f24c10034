import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Bench } from '../bench.ts';
import { compare } from '../compare.ts';
import { fillFolder, newFolder, TOKEN } from '../folders.ts';
import type { Requests } from '../load/generator.ts';
import { CURT, Server } from '../servers.ts';
import { comparisonRow, number } from '../table.ts';

const MINIMAL = 'reference/minimal-create.ts';
/** The least that also validates, limits and answers like the API. */
const CHECKED = 'reference/checked-create.ts';
const WITH_TOKEN: Requests = { method: 'POST', token: TOKEN, kind: 'plain' };

const ROWS: [what: string, requests: Requests, reference: string, goal: string][] = [
  ['create, with a token', WITH_TOKEN, MINIMAL, ''],
  ['the same, beside an app that checks and answers alike', WITH_TOKEN, CHECKED, '≥ 0.9'],
  ['create, anonymous', { method: 'POST', kind: 'plain' }, MINIMAL, ''],
  ['create, Idempotency-Key', { ...WITH_TOKEN, kind: 'idempotent' }, MINIMAL, ''],
  ['create, custom alias', { ...WITH_TOKEN, kind: 'alias' }, MINIMAL, ''],
];

/** Compares every kind of create, on disk before the response, with a minimal one in Fastify. */
export async function benchCreates({ generator, plan, report, folders }: Bench): Promise<void> {
  for (const [what, requests, script, goal] of ROWS) {
    const folder = folders.add(fillFolder(1));
    const curt = await Server.start(CURT, [], { STORE_URL: `file:${folder}`, LOG_LEVEL: 'warn' });
    const reference = await Server.start(script, [folders.add(newFolder())]);
    const comparison = await compare(
      generator,
      { server: curt, requests },
      { server: reference, requests },
      plan,
    );
    await Promise.all([curt.stop(), reference.stop()]);
    report(comparisonRow(what, comparison, goal, generator.isFast));
  }
}

export function bytesIn(folder: string): number {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}

export async function benchDisk({ generator, plan, report, folders }: Bench): Promise<void> {
  const folder = folders.add(fillFolder(1));
  const curt = await Server.start(CURT, [], { STORE_URL: `file:${folder}`, LOG_LEVEL: 'warn' });
  const before = bytesIn(folder);
  const { answers } = await generator.load(curt.baseUrl, WITH_TOKEN, {
    seconds: plan.seconds,
    connections: 64,
  });
  await curt.stop();
  const bytes = (bytesIn(folder) - before) / answers;
  const line =
    '{"batch":1234567,"link":{"id":"0123456789abcdef","alias":"2345678","accountId":"the-only-account","originalUrl":"","created":1234567890123},"crc":"01234567"}\n';
  const lineBytes = line.length + `https://example.com/${'p'.repeat(64)}`.length;
  report({
    what: 'bytes written for one create',
    curt: number(bytes),
    reference: `its line: ${lineBytes}`,
    ratio: (bytes / lineBytes).toFixed(2),
    goal: '≤ 1.5',
  });
}
