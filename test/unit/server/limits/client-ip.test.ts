import type { FastifyRequest } from 'fastify';
import { expect, test } from 'vitest';
import { clientAddress } from '../../../../server/limits/client-address.ts';

function addressOf(ip: string) {
  return clientAddress({ ip, socket: { remoteAddress: '10.0.0.1' } } as FastifyRequest);
}

test.each([
  ['2001:db8:1:2ff::1', '2001:db8:1:2ff/64', '2001:db8:1:200/56', '2001:db8:1/48'],
  [
    '2001:0DB8:0001:02FF:ffff:ffff:ffff:ffff',
    '2001:db8:1:2ff/64',
    '2001:db8:1:200/56',
    '2001:db8:1/48',
  ],
  ['2001:db8::', '2001:db8:0:0/64', '2001:db8:0:0/56', '2001:db8:0/48'],
  ['2001::5:6:7:8:9', '2001:0:0:5/64', '2001:0:0:0/56', '2001:0:0/48'],
  ['::5:6:7:8:9:a:b', '0:5:6:7/64', '0:5:6:0/56', '0:5:6/48'],
  ['::1', '0:0:0:0/64', '0:0:0:0/56', '0:0:0/48'],
  ['fe80::1%eth0', 'fe80:0:0:0/64', 'fe80:0:0:0/56', 'fe80:0:0/48'],
  ['64:ff9b::192.0.2.1', '64:ff9b:0:0/64', '64:ff9b:0:0/56', '64:ff9b:0/48'],
])('%s is the client %s in the networks %s and %s', (ip, client, household, site) => {
  expect(addressOf(ip)).toEqual({ client, networks: [site, household] });
  expect(addressOf(ip)).toEqual({ client, networks: [site, household] });
});

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['0:0:0:0:0:FFFF:c000:0201', '192.0.2.1'],
  ['192.0.2.1:4711', '192.0.2.1'],
  ['unknown', '10.0.0.1'],
  ['192.0.2.999', '10.0.0.1'],
])('%s is the IPv4 client %s without a network', (ip, client) => {
  expect(addressOf(ip)).toEqual({ client, networks: [] });
});
