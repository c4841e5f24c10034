import { readFileSync } from 'node:fs';
import { chmod, chown, copyFile, mkdir, stat, writeFile } from 'node:fs/promises';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { withConnection } from '../../server/store/postgres/database/connect.ts';
import { parseConnectionUrl } from '../../server/store/postgres/database/connection-url.ts';
import { openPostgresStore } from '../../server/store/postgres/postgres-store.ts';
import { newCertificates } from '../support/certificates.ts';
import { timeAt } from '../support/manual-time.ts';
import { type Cluster, startCluster } from './support/cluster.ts';
import { connectTo, newDatabase } from './support/databases.ts';
import { rethrow } from './support/open-stores.ts';

const AUTHENTICATION_CLEARTEXT = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 3]);

type Certificates = Awaited<ReturnType<typeof newCertificates>>;

describe('a database with TLS', () => {
  let cluster: Cluster;
  let certificates: Certificates;

  beforeAll(async () => {
    cluster = await startCluster();
    const folder = join(cluster.folder, 'authority');
    await mkdir(folder);
    certificates = await newCertificates(folder);
  });
  afterAll(() => cluster.remove());
  beforeEach(async () => {
    await configure({ names: 'IP:127.0.0.1' });
  });

  /** @param method of `pg_hba.conf`, for connections with TLS; there are no others */
  async function configure({
    names,
    method = 'scram-sha-256',
  }: {
    names: string;
    method?: string;
  }) {
    const { issue, ca } = certificates;
    const { uid, gid } = await stat(cluster.folder);
    const { key, certificate } = await issue('/CN=server', names);
    const files = { 'server.key': key, 'server.crt': certificate, 'ca.crt': ca.certificate };
    for (const [name, from] of Object.entries(files)) {
      const to = join(cluster.folder, name);
      await copyFile(from, to);
      await chown(to, uid, gid);
      await chmod(to, 0o600);
    }
    const administrator = await connectTo(`${cluster.url('postgres')}?sslmode=no-verify`).catch(
      () => connectTo(cluster.url('postgres')),
    );
    const hba = `hostssl curt,template1 all 127.0.0.1/32 ${method}\nhost postgres all 127.0.0.1/32 scram-sha-256\n`;
    await writeFile(join(cluster.folder, 'pg_hba.conf'), hba);
    await administrator.query('ALTER SYSTEM SET ssl = on');
    await administrator.query(`ALTER SYSTEM SET ssl_ca_file = 'ca.crt'`);
    await administrator.query('CREATE DATABASE curt').catch(() => {});
    const { rows } = await administrator.query('SELECT pg_conf_load_time() AS loaded');
    await administrator.query('SELECT pg_reload_conf()');
    await expect
      .poll(async () => {
        const { rows: now } = await administrator.query('SELECT pg_conf_load_time() AS loaded');
        return now[0]?.loaded > rows[0]?.loaded;
      })
      .toBe(true);
  }

  const url = (parameters = '') => `${cluster.url('curt')}${parameters && `?${parameters}`}`;
  const ownCa = () => `sslrootcert=${certificates.ca.certificate}`;

  /** Whether the connection is encrypted, or why there is none. */
  const connect = (parameters: string) =>
    withConnection(parseConnectionUrl(url(parameters)), async (client) => {
      const { rows } = await client.query(
        'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()',
      );
      return rows[0]?.ssl ? 'encrypted' : 'plain';
    }).catch((error: Error) => error.message);

  test('is used encrypted, with the certificate of its authority', async () => {
    for (const parameters of [
      `sslmode=verify-full&${ownCa()}`,
      `sslmode=require&${ownCa()}`,
      `sslmode=verify-ca&${ownCa()}`,
      ownCa(),
      'sslmode=no-verify',
      `sslmode=verify-full&${ownCa()}&sslnegotiation=direct`,
      `sslmode=verify-full&${ownCa()}&channel_binding=require`,
      `sslmode=verify-full&${ownCa()}&channel_binding=prefer`,
    ]) {
      expect([parameters, await connect(parameters)]).toEqual([parameters, 'encrypted']);
    }
  });

  test('is refused if its authority is not known, or if it demands encryption, with what to do', async () => {
    expect(await connect('sslmode=require')).toMatch(
      /127\.0\.0\.1:\d+: self-signed certificate in certificate chain\. .* with sslrootcert/,
    );
    expect(await connect('')).toMatch(/no encryption\. .*add sslmode=verify-full/);
  });

  test('is refused if its certificate is for another host, unless the URL says that this is right', async () => {
    await configure({ names: 'DNS:db.example.com' });
    expect(await connect(`sslmode=verify-full&${ownCa()}`)).toMatch(
      /IP: 127\.0\.0\.1 is not in the cert's list.*sslmode=verify-ca and sslrootcert/,
    );
    expect(await connect(`sslmode=verify-ca&${ownCa()}`)).toBe('encrypted');
    const other = await newCertificates();
    const otherCa = `sslrootcert=${other.ca.certificate}`;
    expect(await connect(`sslmode=verify-ca&${otherCa}`)).toMatch(/with sslrootcert/);
  });

  test('gets the certificate of the client', async () => {
    await configure({ names: 'IP:127.0.0.1', method: 'cert' });
    const { key, certificate } = await certificates.issue('/CN=curt', 'DNS:curt');
    const files = `sslcert=${certificate}&sslkey=${key}`;
    expect(await connect(`${ownCa()}&${files}`)).toBe('encrypted');
    expect(await connect(ownCa())).toMatch(/connection requires a valid client certificate/);
  });

  test('gets no password without channel binding, if the URL demands it', async () => {
    await configure({ names: 'IP:127.0.0.1', method: 'password' });
    expect(await connect(ownCa())).toBe('encrypted');
    expect(await connect(`${ownCa()}&channel_binding=require`)).toMatch(
      /it does not offer channel binding/,
    );
  });

  test('stops the start if the URL of the standby would end the server in an outage', async () => {
    const options = { time: timeAt(), onError: rethrow };
    for (const parameters of ['ssl=require', 'ssl_mode=require', 'sslrootcert=/missing']) {
      const opening = openPostgresStore(await newDatabase(), options, url(parameters));
      await expect(opening).rejects.toThrow(/STORE_READ_URL/);
    }
  });
});

test('somebody in between who asks for the password gets nothing, if the URL demands channel binding', async () => {
  const { issue } = await newCertificates();
  const { key, certificate } = await issue('/CN=server', 'IP:127.0.0.1');
  const secure = { key: readFileSync(key), cert: readFileSync(certificate) };
  const received: Buffer[] = [];
  const port = await listen((socket) => {
    socket.once('data', () => {
      socket.write('S');
      const tls = new TLSSocket(socket, { isServer: true, ...secure });
      tls.on('error', () => {});
      tls.once('data', () => {
        tls.on('data', (data) => received.push(Buffer.from(data)));
        tls.write(AUTHENTICATION_CLEARTEXT);
      });
    });
  });
  const connect = (parameters: string) => {
    const address = `postgres://curt:hunter22@127.0.0.1:${port}/curt?sslmode=no-verify${parameters}`;
    return withConnection(parseConnectionUrl(address), async () => {}).catch(
      (error: Error) => error.message,
    );
  };
  expect(await connect('&channel_binding=require')).toMatch(/it does not offer channel binding/);
  expect(Buffer.concat(received).toString()).toBe('');
  void connect('');
  await expect.poll(() => Buffer.concat(received).toString()).toContain('hunter22');
});

test('a database without TLS is refused if the URL demands it', async () => {
  const address = `${await newDatabase()}?sslmode=verify-full`;
  await expect(withConnection(parseConnectionUrl(address), async () => {})).rejects.toThrow(
    /The server does not support SSL connections/,
  );
});

test('what is no PostgreSQL is reported in a sentence', async () => {
  for (const greeting of ['', 'SSH-2.0-OpenSSH_9.2\r\n', 'HTTP/1.1 400 Bad Request\r\n\r\n']) {
    const port = await listen((socket) => socket.end(greeting));
    const address = `postgres://curt:hunter22@127.0.0.1:${port}/curt`;
    await expect(withConnection(parseConnectionUrl(address), async () => {})).rejects.toThrow(
      /cannot be used\. 127\.0\.0\.1:\d+: \S.*\. \S/,
    );
  }
});

async function listen(onConnection: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    onConnection(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no address');
  return address.port;
}
