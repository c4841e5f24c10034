import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fromLinkJson } from '../../server/store/link.ts';
import type { CreatedLinkRecord } from '../../shared/links/link-record.ts';
import { CallChannel } from './crash-calls.ts';
import type { Call, KnownLink, Witness } from './crash-witness.ts';

const CLIENTS = 16;
/** The server writes hits after a second. */
const HITS_LAG_MS = 1100;
const REPLAYS = 0.1;
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

type Server = { child: ChildProcess; baseUrl: string; calls: CallChannel };

async function start(folder: string): Promise<Server> {
  const script = new URL('./crash-server.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, [script, folder], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const calls = new CallChannel(child);
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
  for await (const baseUrl of lines) return { child, baseUrl, calls };
  throw new Error('the server did not start');
}

/** The data of the response; undefined if there was none. */
async function shorten(baseUrl: string, call: Call): Promise<CreatedLinkRecord | undefined> {
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
    return answer.data;
  } catch (error) {
    if (error instanceof RangeError) throw error;
    return undefined;
  }
}

async function create({ baseUrl }: Server, witness: Witness): Promise<void> {
  const call = witness.nextCall();
  const data = await shorten(baseUrl, call);
  if (data) witness.acknowledge(call, data);
  else witness.unanswered.push(call);
}

/** Sends the same key and body again, although the link was edited and the server was killed. */
async function replay({ baseUrl }: Server, witness: Witness): Promise<void> {
  const link = witness.randomLink();
  if (!link) return;
  const data = await shorten(baseUrl, link.call);
  if (!data) return;
  // The restarted server has another port.
  const { shortUrl: _, domain: __, ...returned } = data;
  for (const [field, value] of Object.entries(returned)) {
    const first = link.record[field as keyof CreatedLinkRecord];
    const isSame = JSON.stringify(first) === JSON.stringify(value);
    if (!isSame) throw new RangeError(`a replay has ${field} ${value}, not ${first}`);
  }
  if (link.edits > link.pending.length) witness.replayedAfterEdit++;
}

/** @returns whether an edit was acknowledged */
async function edit({ calls }: Server, witness: Witness): Promise<boolean> {
  const link = witness.randomLink();
  if (!link) return delay(1, false);
  const sent = witness.sendEdit(link);
  const { id, authToken } = link.record;
  const outcome = await calls.send(authToken, 'edit', {
    linkId: id,
    ...sent,
    quota: 1_000_000,
    room: null,
  });
  const edited = outcome?.kind === 'edited' && fromLinkJson(outcome.link.id, outcome.link);
  if (edited) witness.acknowledgeEdit(link, sent, edited);
  else if (outcome) throw new RangeError(`an edit was answered with ${outcome.kind}`);
  // Otherwise a server that exited by itself would go unnoticed.
  else await delay(1);
  return outcome !== undefined;
}

/** A visit of a link with `maxVisits`. */
async function takeVisit({ calls }: Server, witness: Witness): Promise<void> {
  const link = witness.randomLimited();
  if (!link) return delay(1);
  link.visits.sent++;
  const passed = await calls.send(link.record.authToken, 'takeVisit', link.record.id);
  if (passed) witness.pass(link);
  if (passed === undefined) await delay(1);
}

/** Creates a link with an account, and purges the link or deletes the account. */
async function erase({ baseUrl, calls }: Server, witness: Witness): Promise<void> {
  const body = { originalUrl: 'https://example.com/to-erase' };
  const record = await shorten(baseUrl, { key: randomUUID(), token: undefined, body });
  if (!record) return delay(1);
  const { id, alias, authToken: token } = record;
  const withAccount = Math.random() < 0.5;
  const erased = { alias, token, withAccount, isSure: false };
  witness.erased.push(erased);
  const outcome = await (withAccount
    ? calls.send(token, 'deleteAccount', null)
    : calls.send(token, 'purge', id));
  if (outcome === 'not_found') throw new RangeError(`${alias} was not there to be purged`);
  if (outcome) erased.isSure = true;
}

/** Adds a token to an account, and sometimes revokes it again. */
async function changeTokens({ calls }: Server, witness: Witness): Promise<void> {
  const link = witness.randomLink();
  if (!link) return delay(1);
  const { authToken } = link.record;
  const token = witness.sendToken();
  const added = await calls.send(authToken, 'addToken', token);
  if (!added) return delay(1);
  if (added === 'too_many') return;
  if (added !== 'added') throw new RangeError(`a token was answered with ${added}`);
  witness.furtherTokens.set(token.tokenHash, 'valid');
  if (Math.random() < 0.3) return;
  witness.furtherTokens.set(token.tokenHash, 'unknown');
  const revoked = await calls.send(authToken, 'revokeToken', token.id);
  if (!revoked) return delay(1);
  if (revoked !== 'revoked') throw new RangeError(`a revocation was answered with ${revoked}`);
  witness.furtherTokens.set(token.tokenHash, 'revoked');
}

async function visit({ baseUrl }: Server, witness: Witness, answered: KnownLink[]): Promise<void> {
  const link = witness.randomRedirect();
  if (!link) return delay(1);
  link.visits.sent++;
  const { state, edits } = link;
  const isSettled = link.pending.length === 0;
  try {
    const headers = { 'user-agent': BROWSER };
    const response = await fetch(`${baseUrl}/${state.alias}`, { redirect: 'manual', headers });
    const location = response.headers.get('location');
    if (isSettled && link.edits === edits && location !== state.targetUrl) {
      throw new RangeError(`${state.alias} leads to ${location}, not to ${state.targetUrl}`);
    }
    // The alias may have just been released.
    if (location !== null) answered.push(link);
  } catch (error) {
    if (error instanceof RangeError) throw error;
  }
}

/**
 * Counts the hits that must be on disk. The server's own timers decide, since a busy machine may delay
 * them: hits are written before an edit that is sent after the pause.
 */
async function confirmHits(
  server: Server,
  witness: Witness,
  answered: KnownLink[],
  isAlive: () => boolean,
): Promise<void> {
  while (isAlive()) {
    const { length } = answered;
    if (!(await server.calls.send('', 'pause', HITS_LAG_MS))) return;
    while (!(await edit(server, witness))) if (!isAlive()) return;
    for (const { visits } of answered.splice(0, length)) visits.durable++;
  }
}

/**
 * Starts the server, sends requests from many clients at once, and kills it.
 *
 * @param untilDue resolves when the server is to be killed; called once it has started
 */
export async function crash(
  folder: string,
  witness: Witness,
  untilDue: () => Promise<unknown>,
): Promise<void> {
  const server = await start(folder);
  const exited = once(server.child, 'exit');
  const answered: KnownLink[] = [];
  let isAlive = true;
  const clients = Promise.all([
    confirmHits(server, witness, answered, () => isAlive),
    ...Array.from({ length: CLIENTS }, async (_, client) => {
      while (isAlive) {
        if (client % 8 === 7) await takeVisit(server, witness);
        else if (client === 5) await changeTokens(server, witness);
        else if (client === 13) await erase(server, witness);
        else if (client % 4 === 3) await visit(server, witness, answered);
        else if (client % 4 === 2) await edit(server, witness);
        else if (Math.random() < REPLAYS) await replay(server, witness);
        else await create(server, witness);
      }
    }),
  ]);
  try {
    await Promise.race([untilDue(), clients]);
  } finally {
    server.child.kill('SIGKILL');
    isAlive = false;
  }
  const [, [code, signal]] = await Promise.all([clients, exited]);
  if (signal !== 'SIGKILL') throw new Error(`the server ended by itself, with ${code}`);
}
