import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Bench } from '../bench.ts';
import { compare } from '../compare.ts';
import { fillFolder, newFolder, TOKEN } from '../folders.ts';
import type { Requests } from '../load/generator.ts';
import { CURT, Server } from '../servers.ts';
import { comparisonRow, number } from '../table.ts';

const KINDS: [what: string, requests: Requests, goal: string][] = [
  ['create, with a token', { method: 'POST', token: TOKEN, kind: 'plain' }, '≥ 0.75'],
  ['create, anonymous', { method: 'POST', kind: 'plain' }, '≥ 0.65'],
  ['create, Idempotency-Key', { method: 'POST', token: TOKEN, kind: 'idempotent' }, ''],
  ['create, custom alias', { method: 'POST', token: TOKEN, kind: 'alias' }, ''],
];

/** Compares every kind of create, on disk before the response, with a minimal one in Fastify. */
export async function benchCreates({ generator, plan, report, folders }: Bench): Promise<void> {
  for (const [what, requests, goal] of KINDS) {
    const folder = folders.add(fillFolder(1));
    const curt = await Server.start(CURT, [], { STORE_URL: `file:${folder}`, LOG_LEVEL: 'warn' });
    const minimal = await Server.start('reference/minimal-create.ts', [folders.add(newFolder())]);
    const comparison = await compare(
      generator,
      { server: curt, requests },
      { server: minimal, requests },
      plan,
    );
    await Promise.all([curt.stop(), minimal.stop()]);
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
  const requests: Requests = { method: 'POST', token: TOKEN, kind: 'plain' };
  const { answers } = await generator.load(curt.baseUrl, requests, {
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
