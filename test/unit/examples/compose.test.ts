import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { readSettings } from '../../../server/config.ts';

const ROOT = join(import.meta.dirname, '../../..');
const { services, volumes, networks } = parse(readFileSync(join(ROOT, 'compose.yaml'), 'utf8'));
const { curt } = services;

test('the server of compose.yaml has a volume for its data, and no rights', () => {
  expect(curt.volumes).toEqual(['data:/data']);
  expect(volumes).toHaveProperty('data');
  expect(curt).toMatchObject({
    read_only: true,
    cap_drop: ['ALL'],
    security_opt: ['no-new-privileges:true'],
    logging: { options: { 'max-size': '10m', 'max-file': '3' } },
  });
});

test('the server of compose.yaml trusts the address from which a proxy on the machine reaches it', () => {
  const [network] = networks.curt.ipam.config;
  expect(readSettings(curt.environment).trustProxy).toEqual([network.gateway]);
  expect(curt.networks).toEqual(['curt']);
  // Others can't go around the proxy.
  expect(curt.ports).toEqual(['127.0.0.1:2878:2878']);
});
