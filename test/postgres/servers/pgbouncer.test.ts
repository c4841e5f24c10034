import { randomBytes } from 'node:crypto';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startServer } from '../../e2e/support/servers/server.ts';
import { connectTo, newDatabase } from '../support/databases.ts';
import { withDatabase } from '../support/open-stores.ts';
import { startPgbouncer } from '../support/pgbouncer.ts';
import { createLink, send, startServers } from './two-servers.ts';

const startWith = (url: string) => startServer({ env: { STORE_URL: url } });

describe('through PgBouncer that pools by session', () => {
  test('servers start, and a change on one takes effect on the other', async () => {
    const url = await startPgbouncer(await newDatabase(), [
      'pool_mode = session',
      'default_pool_size = 50',
    ]);
    const [one, other] = await startServers(2, url);
    if (!one || !other) throw new Error('both servers must start');
    const { alias, authToken: token } = await createLink(one);
    const targetOn = async (server: typeof one) =>
      (await send(server, `GET /${alias}`)).headers.get('location');
    expect(await targetOn(other)).toBe('https://example.com/page');
    const body = { originalUrl: 'https://example.com/new' };
    expect((await send(one, `PATCH /api/links/${alias}`, { token, body })).status).toBe(200);
    await expect.poll(() => targetOn(other)).toBe('https://example.com/new');
  });

  test('statements and transactions have the time limits that they have without it', async () => {
    const direct = await newDatabase();
    const pooled = await startPgbouncer(direct, ['pool_mode = session']);
    const read = `SELECT current_setting('statement_timeout') AS statement,
      current_setting('idle_in_transaction_session_timeout') AS idle`;
    const limitsOf = (url: string) =>
      withDatabase(url, async (database) => [
        ...(await database.read(read)),
        ...(await database.transaction((query) => query(read))),
        ...(await database.read(read)),
      ]);
    const outside = { statement: '3s', idle: '4s' };
    const limits = [outside, { statement: '5s', idle: '4s' }, outside];
    expect([await limitsOf(direct), await limitsOf(pooled)]).toEqual([limits, limits]);
  });
});

test.each([
  ['transaction', []],
  ['transaction', ['server_round_robin = 1']],
  ['statement', []],
])(
  'a server behind PgBouncer that pools by %s does not start, and says what to change (%j)',
  async (mode, settings) => {
    const url = await startPgbouncer(await newDatabase(), [`pool_mode = ${mode}`, ...settings]);
    await expect(startWith(url)).rejects.toThrow(
      /ended with 1 before.*\nThe database in STORE_URL is behind a pooler .*pool_mode = session.*$/,
    );
  },
);

describe('a server that does not start prints the message of', () => {
  test('PgBouncer', async () => {
    const url = new URL(await startPgbouncer(await newDatabase(), ['pool_mode = session']));
    url.pathname = '/curt_missing';
    await expect(startWith(url.href)).rejects.toThrow(/database "curt_missing" does not exist/);
  });

  test('PostgreSQL, also if only some connections fail', async () => {
    const url = new URL(await newDatabase());
    const owner = await connectTo(url.href);
    const role = `few_${randomBytes(4).toString('hex')}`;
    await owner.query(`CREATE ROLE ${role} LOGIN PASSWORD 'limited' CONNECTION LIMIT 1`);
    await owner.query(
      `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${role}`,
    );
    onTestFinished(async () => {
      await owner.query(`DROP OWNED BY ${role}`);
      await owner.query(`DROP ROLE ${role}`);
    });
    url.username = role;
    url.password = 'limited';
    await expect(startWith(url.href)).rejects.toThrow(
      RegExp(
        `\\nThe database cannot be used at the moment: too many connections for role "${role}"`,
      ),
    );
  });
});
