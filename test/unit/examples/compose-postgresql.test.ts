import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readSettings } from '../../../server/config.ts';
import { parseConnectionUrl } from '../../../server/store/postgres/database/connection-url.ts';

const EXAMPLES = join(import.meta.dirname, '../../../docs/examples');
const text = readFileSync(join(EXAMPLES, 'compose.postgresql.yaml'), 'utf8');
const { services, volumes, networks } = parse(text, { merge: true });
const balancer = readFileSync(join(EXAMPLES, 'nginx-balancer.conf'), 'utf8');

describe('compose.postgresql.yaml', () => {
  test('has two servers without data and rights, with the same settings', () => {
    const servers = [services['curt-1'], services['curt-2']];
    expect({ ...servers[1], networks }).toEqual({ ...servers[0], networks });
    for (const server of servers) {
      expect(server).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
      });
      expect(server).not.toHaveProperty('volumes');
      // Others can't go around nginx.
      expect(server).not.toHaveProperty('ports');
    }
  });

  test('limits the logs of all containers', () => {
    for (const { logging } of Object.values<{ logging?: object }>(services)) {
      expect(logging).toMatchObject({ options: { 'max-size': '10m' } });
    }
  });

  test('connects them to the database, whose data is in a volume', () => {
    const { postgres } = services;
    const { environment } = services['curt-1'];
    const url = environment.STORE_URL.replace(/\$\{POSTGRES_PASSWORD:\?[^}]+\}/, 'password');
    expect(readSettings({ ...environment, STORE_URL: url }).storeUrl).toBe(url);
    expect(parseConnectionUrl(url).hosts.map(({ config }) => config())).toMatchObject([
      { user: 'curt', host: 'postgres', port: 5432, database: 'curt' },
    ]);
    expect(postgres.environment).toMatchObject({ POSTGRES_USER: 'curt', POSTGRES_DB: 'curt' });
    expect(postgres.volumes).toEqual(['postgres:/var/lib/postgresql']);
    expect(volumes).toHaveProperty('postgres');
    expect(postgres).not.toHaveProperty('ports');
  });

  test('lets nginx reach both, which trust it and a proxy on the machine', () => {
    const { nginx } = services;
    const hosts = [...balancer.matchAll(/^ {4}server (\S+):2878 /gm)].map(([, host]) => host);
    const servers = [services['curt-1'], services['curt-2']];
    expect(hosts).toEqual(servers.map((server) => server.networks.curt.ipv4_address));
    const [network] = networks.curt.ipam.config;
    const { trustProxy } = readSettings({
      ...services['curt-1'].environment,
      STORE_URL: 'file:./data',
    });
    expect(trustProxy).toEqual([nginx.networks.curt.ipv4_address, network.gateway]);
    expect(nginx.volumes).toEqual(['./nginx-balancer.conf:/etc/nginx/conf.d/default.conf:ro']);
    expect(nginx.ports).toEqual(['127.0.0.1:2878:2878']);
  });
});
