import { expect, test } from 'vitest';
import { call, makeLink, START, startService } from '../support.ts';
import { storeVisits, visit } from '../visits/visiting.ts';
import { ADMIN, ADMIN_TOKEN, callAsAdmin, dataAsAdmin } from './as-admin.ts';

const DAY_MS = 86_400_000;
const NOTHING = { links: 0, visits: 0, accounts: 0, reports: 0 };

test('the overview has links, visits, new accounts and reports of yesterday and the week', async () => {
  const service = await startService({ env: { ADMIN_TOKEN, REPORTS: 'on' } });
  const read = () => dataAsAdmin(service, 'GET /api/admin/overview');
  expect(await read()).toMatchObject({ today: NOTHING, yesterday: NOTHING, week: NOTHING });
  await makeLink(service, { customAlias: 'launch' });
  await visit(service, '/launch');
  await visit(service, '/launch/report', { form: { reason: 'Phishing' } });
  await callAsAdmin(service, 'POST /api/admin/accounts', { name: 'Ann' });
  const all = { links: 1, visits: 1, accounts: 2, reports: 1 };
  await storeVisits(service);
  expect((await read()).today).toEqual(all);
  const { days } = await read();
  expect(days).toHaveLength(15);
  expect(days.at(-1)).toEqual({ start: new Date(START - (START % DAY_MS)).toISOString(), ...all });

  await service.clock.advance(DAY_MS);
  const none = { today: NOTHING, weekBefore: NOTHING };
  expect(await read()).toMatchObject({ ...none, yesterday: all, week: all });
  await service.clock.advance(6 * DAY_MS);
  expect(await read()).toMatchObject({ ...none, yesterday: NOTHING, week: all });
  await service.clock.advance(DAY_MS);
  expect(await read()).toMatchObject({ week: NOTHING, weekBefore: all });
});

test('the overview is for administrators only', async () => {
  const service = await startService(ADMIN);
  const { authToken: token } = await makeLink(service);
  expect((await call(service, 'GET /api/admin/overview', { token })).statusCode).toBe(401);
});
