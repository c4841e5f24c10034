import { expect, test } from 'vitest';
import { checkStart } from '../../../server/check-start.ts';
import { readSettings } from '../../../server/config.ts';
import { takenPort } from '../../e2e/support/servers/free-port.ts';

test.each<[string, (taken: string) => Record<string, string>, RegExp]>([
  ['a taken port', (taken) => ({ PORT: taken }), /^Port \d+ on 127\.0\.0\.1 is already in use\./],
  ['a taken port for metrics', (taken) => ({ METRICS_PORT: taken }), /^The metrics cannot be/],
  ['an address of others', () => ({ HOST: '192.0.2.1' }), /^HOST is 192\.0\.2\.1, which is not/],
  ['a missing picture', () => ({ BRAND_LOGO: '/nowhere.svg' }), /^BRAND_LOGO: /],
  [
    'a data folder in a file',
    () => ({ STORE_URL: `file:${import.meta.filename}/data` }),
    /^STORE_URL names \S+\/data, /,
  ],
  ['a missing list', () => ({ BLOCKED_HOSTS: '/nowhere.txt' }), /^BLOCKED_HOSTS: /],
])('%s is found before the server starts', async (_, settings, message) => {
  const env = { PORT: '0', ...settings(await takenPort()) };
  await expect(checkStart(readSettings(env))).rejects.toThrow(message);
});
