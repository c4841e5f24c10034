import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { hashToken } from '../../../server/accounts/tokens.ts';
import { type Call, Witness } from '../../crash/crash-witness.ts';
import type { RunningServer } from '../../e2e/support/servers/server.ts';
import { connectTo, newDatabase } from '../support/databases.ts';
import { send, startServers } from './two-servers.ts';

const KILLS = 3;
/** Requests that are under way at once, on each server. */
const CLIENTS = 4;
/** Answers that a server gives before anything else happens to it. */
const SOME = 40;
const NO_LIMITS = {
  RATE_LIMIT_PER_MINUTE: '1000000000',
  ANONYMOUS_PER_DAY: '1000000000',
  MONTHLY_QUOTA: 'unlimited',
  // Also for answers that an alias is taken.
  UNKNOWN_PER_MINUTE: '1000000000',
};

/** Clients that create links on two servers, and record every answer. */
class Load {
  readonly witness = new Witness();
  /** Custom aliases that one server refused because the other one had given them away. */
  readonly taken = new Set<string>();
  /** Answers that no server may give. */
  readonly faults: string[] = [];
  readonly #servers: RunningServer[];
  readonly #killed = new Set<RunningServer>();
  readonly #answers = new Map<RunningServer, number>();
  readonly #clients: Promise<unknown>;
  #isEnding = false;

  constructor(servers: RunningServer[]) {
    this.#servers = servers;
    this.#clients = Promise.all(Array.from({ length: CLIENTS }, () => this.#run()));
  }

  answers(server: RunningServer): number {
    return this.#answers.get(server) ?? 0;
  }

  async kill(server: RunningServer): Promise<void> {
    this.#killed.add(server);
    await server.kill();
  }

  replace(killed: RunningServer, restarted: RunningServer): void {
    this.#servers[this.#servers.indexOf(killed)] = restarted;
  }

  /** Ends the load, and repeats what was not answered, with the same idempotency keys. */
  async end(): Promise<void> {
    this.#isEnding = true;
    await this.#clients;
    const [server] = this.#servers;
    for (const call of this.witness.unanswered.splice(0)) {
      if (server) await this.#create(server, call);
    }
  }

  async #run(): Promise<void> {
    while (!this.#isEnding) await this.#createOnAll();
  }

  /** Creates the same link on all servers at once: a custom alias is given to one of them. */
  async #createOnAll(): Promise<void> {
    const call = this.witness.nextCall();
    const created = await Promise.all(
      this.#servers.map((server, place) =>
        this.#create(server, place === 0 ? call : { ...call, key: randomUUID() }),
      ),
    );
    const links = created.filter((isCreated) => isCreated);
    if (call.body.customAlias && links.length > 1) {
      this.faults.push(`${call.body.customAlias} was given away twice`);
    }
  }

  /** @returns whether the server confirmed the link */
  async #create(server: RunningServer, call: Call): Promise<boolean> {
    const { token, key, body } = call;
    const options = { key, body, ...(token !== undefined && { token }) };
    const answer = await send(server, 'POST /api/shorten', options)
      .then(async (response) => ({ status: response.status, ...(await response.json()) }))
      .catch(() => undefined);
    if (!answer) {
      this.witness.unanswered.push(call);
      if (!this.#killed.has(server)) this.faults.push('a server that runs did not answer');
      return false;
    }
    this.#answers.set(server, this.answers(server) + 1);
    if (answer.status === 200) this.witness.acknowledge(call, answer.data);
    else if (answer.code === 'alias_taken') this.taken.add(String(body.customAlias));
    else this.faults.push(JSON.stringify(answer));
    return answer.status === 200;
  }
}

test('a server that is killed under load loses no link that it confirmed, and serves again at once', async () => {
  const url = await newDatabase();
  const start = () => startServers(1, url, NO_LIMITS) as Promise<[RunningServer]>;
  const [[survivor], first] = await Promise.all([start(), start()]);
  let [victim] = first;
  const load = new Load([survivor, victim]);
  onTestFinished(() => load.end());
  const untilAnswers = (server: RunningServer) => {
    const enough = load.answers(server) + SOME;
    return expect.poll(() => load.answers(server), { interval: 5 }).toBeGreaterThan(enough);
  };
  for (let kill = 0; kill < KILLS; kill++) {
    await untilAnswers(victim);
    await load.kill(victim);
    await untilAnswers(survivor);
    const [restarted] = await start();
    load.replace(victim, restarted);
    victim = restarted;
  }
  await untilAnswers(victim);
  await load.end();
  expect(load.faults).toEqual([]);

  const { links, tokens } = load.witness;
  const database = await connectTo(url);
  const { rows: stored } = await database.query(
    `SELECT link->>'alias' AS alias, link->>'originalUrl' AS target, id, account_id
     FROM links`,
  );
  const targets = new Map(stored.map(({ id, alias, target }) => [id, { alias, target }]));
  // Also none that nobody was told of: each was asked for again.
  expect(targets.size).toBe(links.size);
  for (const [id, { record }] of links) {
    expect(targets.get(id)).toEqual({ alias: record.alias, target: record.originalUrl });
  }
  const aliases = new Set([...links.values()].map(({ record }) => record.alias));
  expect(aliases.size).toBe(links.size);
  expect([...load.taken].filter((alias) => !aliases.has(alias))).toEqual([]);
  expect(load.taken.size).toBeGreaterThan(SOME);

  const { rows: accounts } = await database.query(
    `SELECT token_hash, total, (SELECT sum(value::bigint) FROM jsonb_each_text(quotas)) AS in_quotas,
       (SELECT count(*) FROM aliases WHERE aliases.account_id = tokens.account_id) AS links
     FROM tokens JOIN accounts ON accounts.id = account_id`,
  );
  const counts = new Map(accounts.map(({ token_hash, ...count }) => [token_hash, count]));
  expect(counts.size).toBe(tokens.size);
  for (const [token, count] of tokens) {
    const text = String(count);
    expect(counts.get(hashToken(token))).toEqual({ total: text, in_quotas: text, links: text });
  }

  for (const { record } of [...links.values()].slice(-SOME)) {
    for (const server of [survivor, victim]) {
      expect((await send(server, `HEAD /${record.alias}`)).status).toBe(
        record.waitTimer ? 200 : 302,
      );
    }
  }
  const locks = `SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND mode = 'ExclusiveLock'
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
  const countLocks = async () => (await database.query(locks)).rows[0]?.count;
  await expect.poll(countLocks).toBe('0');
});
