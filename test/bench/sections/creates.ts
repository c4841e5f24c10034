import type { Bench } from '../bench.ts';
import { compare } from '../compare.ts';
import { fillFolder, newFolder, TOKEN } from '../folders.ts';
import type { Requests } from '../load/wrk.ts';
import { CURT, Server } from '../servers.ts';
import { comparisonRow } from '../table.ts';

const MINIMAL = 'reference/minimal-create.ts';
/** The least that also validates, limits and answers like the API. */
const CHECKED = 'reference/checked-create.ts';
const WITH_TOKEN: Requests = { method: 'POST', token: TOKEN, kind: 'plain' };

const ROWS: [what: string, requests: Requests, reference: string, goal: string][] = [
  ['create, beside an app that checks and answers alike', WITH_TOKEN, CHECKED, '≥ 0.9'],
  ['create, Idempotency-Key', { ...WITH_TOKEN, kind: 'idempotent' }, MINIMAL, ''],
];

/** Compares creates, on disk before the response, with those of smaller apps in Fastify. */
export async function benchCreates({ plan, report, folders }: Bench): Promise<void> {
  for (const [what, requests, script, goal] of ROWS) {
    const folder = folders.add(fillFolder(1));
    const curt = await Server.start(CURT, [], { STORE_URL: `file:${folder}`, LOG_LEVEL: 'warn' });
    const reference = await Server.start(script, [folders.add(newFolder())]);
    const comparison = await compare(
      { server: curt, requests },
      { server: reference, requests },
      plan,
    );
    await Promise.all([curt.stop(), reference.stop()]);
    report(comparisonRow(what, comparison, goal));
  }
}
