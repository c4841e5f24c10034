import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { hashToken } from '../../../server/accounts.ts';
import { openJsonFileStore } from '../../../server/store/json-file/json-file-store.ts';
import type { LinkRecord } from '../../../shared/link-record.ts';

const CLIENTS = 12;
/** Hits may be lost for a second; some more for a machine that is busy. */
const HITS_LAG_MS = 2500;
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

type Call = { body: Record<string, unknown>; key: string; token: string | undefined };

/** What the clients know of the server. */
export class Witness {
  /** By id, as the server answered. */
  readonly links = new Map<string, LinkRecord>();
  /** Tokens, and how many links were acknowledged with each. */
  readonly tokens = new Map<string, number>();
  /** Those that later calls send. */
  readonly #knownTokens: string[] = [];
  /** Those that redirect at once. */
  readonly #redirects: LinkRecord[] = [];
  /** Calls that had no answer: nobody knows whether they did anything. */
  unanswered: Call[] = [];
  /** By link id: visits sent, and visits answered so early that their hits must be on disk. */
  readonly visits = new Map<string, { sent: number; kept: number }>();
  #number = 0;

  nextCall(): Call {
    const again = this.unanswered.pop();
    if (again) return again;
    const number = this.#number++;
    return {
      key: randomUUID(),
      token: number % 3 === 0 ? undefined : this.#knownTokens[number % this.#knownTokens.length],
      body: {
        originalUrl: `http://a.example/${number}`,
        ...(number % 2 === 0 && { customAlias: `Alias-${number}` }),
        ...(number % 5 === 0 && {
          title: `Títle "${number}"`,
          description: 'one\ntwo',
          expiresInDays: 2.5,
          waitTimer: 7,
          customGtmId: 'GTM-ABCD',
        }),
      },
    };
  }

  acknowledge(record: LinkRecord): void {
    if (this.links.has(record.id)) throw new Error(`the id ${record.id} was given twice`);
    this.links.set(record.id, record);
    if (record.waitTimer === 0) this.#redirects.push(record);
    const links = this.tokens.get(record.authToken) ?? 0;
    if (links === 0) this.#knownTokens.push(record.authToken);
    this.tokens.set(record.authToken, links + 1);
  }

  randomRedirect(): LinkRecord | undefined {
    return this.#redirects[Math.floor(Math.random() * this.#redirects.length)];
  }
}

async function start(folder: string): Promise<{ child: ChildProcess; baseUrl: string }> {
  const script = new URL('./crash-server.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, [script, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const baseUrl of createInterface({ input: child.stdout })) return { child, baseUrl };
  throw new Error('the server did not start');
}

async function create(baseUrl: string, witness: Witness): Promise<void> {
  const call = witness.nextCall();
  let data: LinkRecord;
  try {
    const response = await fetch(`${baseUrl}/api/shorten`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'idempotency-key': call.key,
        ...(call.token && { authorization: `Bearer ${call.token}` }),
      },
      body: JSON.stringify(call.body),
    });
    const answer = await response.json();
    if (response.status !== 200) throw new RangeError(JSON.stringify(answer));
    data = answer.data;
  } catch (error) {
    if (error instanceof RangeError) throw error;
    witness.unanswered.push(call);
    return;
  }
  witness.acknowledge(data);
}

async function visit(
  baseUrl: string,
  witness: Witness,
  answered: [string, number][],
): Promise<void> {
  const link = witness.randomRedirect();
  if (!link) return delay(1);
  const visits = witness.visits.get(link.id) ?? { sent: 0, kept: 0 };
  witness.visits.set(link.id, visits);
  visits.sent++;
  try {
    const headers = { 'user-agent': BROWSER };
    const response = await fetch(`${baseUrl}/${link.alias}`, { redirect: 'manual', headers });
    if (response.headers.get('location') !== link.originalUrl) {
      throw new RangeError(`${link.alias} does not lead to ${link.originalUrl}`);
    }
    answered.push([link.id, performance.now()]);
  } catch (error) {
    if (error instanceof RangeError) throw error;
  }
}

/** Starts the server, works it from many clients at once, and kills it after this time. */
export async function crash(folder: string, witness: Witness, afterMs: number): Promise<void> {
  const { child, baseUrl } = await start(folder);
  const exited = once(child, 'exit');
  const answered: [string, number][] = [];
  let isAlive = true;
  const clients = Promise.all(
    Array.from({ length: CLIENTS }, async (_, client) => {
      while (isAlive) {
        if (client % 3 === 2) await visit(baseUrl, witness, answered);
        else await create(baseUrl, witness);
      }
    }),
  );
  await Promise.race([delay(afterMs), clients]);
  child.kill('SIGKILL');
  isAlive = false;
  const killed = performance.now();
  await Promise.all([clients, exited]);
  for (const [id, at] of answered) {
    const visits = witness.visits.get(id);
    if (visits && at < killed - HITS_LAG_MS) visits.kept++;
  }
}

/** @returns what is wrong with the folder, a line for each; and what the store warned of */
export async function inspect(folder: string, witness: Witness): Promise<string[]> {
  const wrong: string[] = [];
  const say = (error: unknown) => wrong.push(String(error));
  const store = await openJsonFileStore(folder, {
    clock: Date.now,
    onError: say,
    // A kill leaves what was written to the kernel: at most the last line is torn.
    onWarning: (warning) => {
      if (!warning.includes('never acknowledged')) say(warning);
    },
  });
  for (const record of witness.links.values()) {
    const link = await store.findLink(record.alias);
    const visits = witness.visits.get(record.id) ?? { sent: 0, kept: 0 };
    const found = link && {
      id: link.id,
      alias: link.alias,
      originalUrl: link.originalUrl,
      customAlias: link.aliasIsCustom ? link.alias : '',
      title: link.title,
      description: link.description,
      expiresAt: link.expiresAt === null ? null : new Date(link.expiresAt).toISOString(),
      waitTimer: link.waitTimerSeconds,
      created: new Date(link.created).toISOString(),
    };
    for (const [field, value] of Object.entries(found ?? { id: undefined })) {
      const expected = record[field as keyof LinkRecord];
      if (value !== expected) say(`${record.alias}: ${field} is ${value}, not ${expected}`);
    }
    if (link && (link.hits < visits.kept || link.hits > visits.sent)) {
      say(`${record.alias}: ${link.hits} hits, of ${visits.kept} to ${visits.sent}`);
    }
  }
  const unanswered = new Map<string | undefined, number>();
  for (const { token } of witness.unanswered) {
    unanswered.set(token, (unanswered.get(token) ?? 0) + 1);
  }
  for (const [token, links] of witness.tokens) {
    const account = await store.findAccount(hashToken(token));
    const { month } = await store.countLinks(account?.id ?? '', Date.now());
    const most = links + (unanswered.get(token) ?? 0);
    if (month < links || month > most) say(`an account has ${month} links, of ${links} to ${most}`);
  }
  await store.close();
  return wrong;
}
