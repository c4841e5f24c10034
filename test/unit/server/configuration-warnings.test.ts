import { expect, test } from 'vitest';
import { readSettings } from '../../../server/config.ts';
import { configurationWarnings } from '../../../server/configuration-warnings.ts';
import { domainOf } from '../../store/contract/domains.ts';

const domains = new Map([['go.example', domainOf('go.example')]]);
const warningsOf = (env: Record<string, string>) =>
  configurationWarnings(readSettings(env), domains);

test('there is a warning if BASE_URL is at a domain that was added', () => {
  for (const baseUrl of ['http://go.example', 'http://GO.example:80']) {
    expect(warningsOf({ BASE_URL: baseUrl })).toEqual([
      expect.stringContaining('curt domain remove go.example --move-links-to'),
    ]);
  }
  expect(warningsOf({ BASE_URL: 'http://s.example' })).toEqual([]);
  expect(warningsOf({})).toEqual([]);
});

test('there is a warning if BASE_URL is https, and no proxy is trusted', () => {
  const env = { BASE_URL: 'https://s.example' };
  expect(warningsOf(env)).toEqual([expect.stringContaining('TRUST_PROXY is not set')]);
  expect(warningsOf({ ...env, TRUST_PROXY: '127.0.0.1' })).toEqual([]);
});
