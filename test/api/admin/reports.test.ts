import { expect, test } from 'vitest';
import { newLink } from '../../store/contract.ts';
import { BASE_URL, makeLink, startService, type TestService } from '../support.ts';
import { visit } from '../visits/visiting.ts';
import { ADMIN_TOKEN, block, callAsAdmin, dataAsAdmin } from './as-admin.ts';

const env = { ADMIN_TOKEN, REPORTS: 'on' };
const HOUR_MS = 3_600_000;

/** Sends the form as a browser does. */
function report(
  { app }: TestService,
  alias: string,
  fields: Record<string, string>,
  { remoteAddress = '192.0.2.1', origin = BASE_URL } = {},
) {
  return app.inject({
    method: 'POST',
    url: `/${alias}/report`,
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html', origin },
    payload: new URLSearchParams(fields).toString(),
    remoteAddress,
  });
}

const listReports = (service: TestService, query = '') =>
  dataAsAdmin(service, `GET /api/admin/reports${query}`);

test('a visitor reports a link with a form, without JavaScript, and administrators list it', async () => {
  const service = await startService({ env });
  const link = await makeLink(service, { customAlias: 'launch' });
  const inspected = await visit(service, '/launch+');
  expect(inspected.body).toContain('<a href="/launch/report"');
  const form = await visit(service, '/launch/report');
  expect(form.statusCode).toBe(200);
  expect(form.body).toContain('<form class="form" method="post" action="/launch/report">');
  expect(form.body).not.toContain('<script');
  const fields = { reason: 'It asks for\r\nmy password', contact: 'ann@example.com' };
  const sent = await report(service, 'launch', fields);
  expect(sent.statusCode).toBe(200);
  expect(sent.body).toContain('Thank you');
  await service.clock.advance(1000);
  await report(service, 'LAUNCH', { reason: 'Phishing' });
  expect(await listReports(service)).toMatchObject([
    {
      link: { id: link.id, alias: 'launch', status: 'active' },
      count: 2,
      reports: [
        { reason: 'Phishing', contact: '' },
        { reason: 'It asks for my password', contact: 'ann@example.com' },
      ],
    },
  ]);
});

test('no address of a visitor is stored', async () => {
  const service = await startService({ env });
  await makeLink(service, { customAlias: 'launch' });
  const remoteAddress = '198.51.100.77';
  await report(service, 'launch', { reason: 'Phishing' }, { remoteAddress });
  const stored = await service.store.administration.listReports();
  expect(Object.keys(stored[0]?.reports[0] ?? {}).sort()).toEqual(['contact', 'reason', 'time']);
  expect(JSON.stringify(stored)).not.toContain(remoteAddress);
});

test('reported last comes first, page by page', async () => {
  const service = await startService({ env });
  for (const customAlias of ['one', 'two', 'three']) {
    await makeLink(service, { customAlias });
    await report(service, customAlias, { reason: 'Phishing' });
    await service.clock.advance(1000);
  }
  await report(service, 'one', { reason: 'Again' });
  const aliases: string[] = [];
  let query = '?limit=1';
  for (;;) {
    const { data, nextCursor } = (
      await callAsAdmin(service, `GET /api/admin/reports${query}`)
    ).json();
    aliases.push(...data.map(({ link }: { link: { alias: string } }) => link.alias));
    if (nextCursor === null) break;
    query = `?limit=1&cursor=${nextCursor}`;
  }
  expect(aliases).toEqual(['one', 'three', 'two']);
  const invalid = await callAsAdmin(service, 'GET /api/admin/reports?cursor=bm90aGluZw');
  expect([invalid.statusCode, invalid.json().code]).toEqual([400, 'invalid_request']);
});

test('reports of a blocked link come back when the block ends', async () => {
  const service = await startService({ env });
  await makeLink(service, { customAlias: 'launch' });
  await report(service, 'launch', { reason: 'Phishing' });
  await block(service, 'link', 'launch');
  expect(await listReports(service)).toEqual([]);
  await dataAsAdmin(service, 'DELETE /api/admin/blocks/link/launch');
  expect(await listReports(service)).toHaveLength(1);
});

test('dismissed reports are erased, which the audit log has', async () => {
  const service = await startService({ env });
  const { id } = await makeLink(service, { customAlias: 'launch' });
  await report(service, 'launch', { reason: 'I do not like it' });
  await dataAsAdmin(service, 'DELETE /api/admin/reports/launch');
  expect(await listReports(service)).toEqual([]);
  const [entry] = await dataAsAdmin(service, 'GET /api/admin/audit');
  expect(entry).toMatchObject({ action: 'report.dismiss', target: `link launch (${id})` });
  for (const alias of ['launch', 'nothing']) {
    const again = await callAsAdmin(service, `DELETE /api/admin/reports/${alias}`);
    expect([again.statusCode, again.json().code]).toEqual([404, 'not_found']);
  }
});

test.each<Record<string, string>>([{}, { reason: ' ' }, { reason: 'x'.repeat(1001) }])(
  'a report without a reason, or with one that is too long, is shown again: %j',
  async (fields) => {
    const service = await startService({ env });
    await makeLink(service, { customAlias: 'launch' });
    const response = await report(service, 'launch', fields);
    expect(response.statusCode).toBe(400);
    expect(response.body).toContain('Say in a few words what is wrong.');
    expect(await listReports(service)).toEqual([]);
  },
);

test('what was typed is in the form that is shown again, whatever is wrong', async () => {
  const service = await startService({ env });
  await makeLink(service, { customAlias: 'launch' });
  const contact = 'ann"s@example.com';
  const missing = await report(service, 'launch', { reason: ' ', contact });
  expect(missing.body).toContain('value="ann&quot;s@example.com"');
  const reason = 'It asks for my <password>';
  await service.data.takeAway();
  const away = await report(service, 'launch', { reason, contact });
  await service.data.bringBack();
  expect(away.statusCode).toBe(503);
  for (let number = 1; number <= 10; number++) await report(service, 'launch', { reason });
  const limited = await report(service, 'launch', { reason, contact });
  expect(limited.statusCode).toBe(429);
  expect(limited.headers['retry-after']).toBeDefined();
  for (const { body } of [away, limited]) {
    expect(body).toContain('It asks for my &lt;password&gt;</textarea>');
    expect(body).toContain('value="ann&quot;s@example.com"');
    expect(body).toContain('role="alert"');
  }
});

test('a client can report ten times an hour', async () => {
  const service = await startService({ env });
  await makeLink(service, { customAlias: 'launch' });
  const send = async (remoteAddress?: string) =>
    (
      await report(
        service,
        'launch',
        { reason: 'Phishing' },
        remoteAddress === undefined ? {} : { remoteAddress },
      )
    ).statusCode;
  for (let number = 1; number <= 10; number++) expect(await send()).toBe(200);
  expect(await send()).toBe(429);
  expect(await send('192.0.2.2')).toBe(200);
  await service.clock.advance(HOUR_MS);
  expect(await send()).toBe(200);
});

test('pages of other sites cannot report, and only links that go somewhere can be reported', async () => {
  const service = await startService({ env });
  await makeLink(service, { customAlias: 'launch' });
  const other = await report(service, 'launch', { reason: 'x' }, { origin: 'https://e.example' });
  expect(other.statusCode).toBe(403);
  expect((await visit(service, '/unknown/report')).statusCode).toBe(404);
  expect((await report(service, 'unknown', { reason: 'x' })).statusCode).toBe(404);
  expect((await visit(service, '/unknown')).body).not.toContain('Report this link');
});

test('without REPORTS there is no form, and REPORT_URL works as before', async () => {
  const service = await startService({
    env: { ADMIN_TOKEN, REPORT_URL: 'mailto:abuse@example.com' },
  });
  await makeLink(service, { customAlias: 'launch' });
  expect((await visit(service, '/launch/report')).statusCode).toBe(404);
  expect((await visit(service, '/launch+')).body).toContain('mailto:abuse@example.com');
});

test('reports of 5,000 links close the form to nobody: the one with the fewest reports, and of these the oldest, makes room', async () => {
  const service = await startService({ env });
  const { store, clock } = service;
  const links = Array.from({ length: 5000 }, (_, n) => newLink(`flood-${n}`, { quota: 10_000 }));
  await Promise.all(
    links.map(async (link, n) => {
      await store.addLink(link);
      const one = { reason: 'Flood', contact: '', time: clock.now() + n };
      await store.administration.addReport(link.link.id, one);
      if (n === 0) await store.administration.addReport(link.link.id, one);
    }),
  );
  const { id } = await makeLink(service, { customAlias: 'phishing' });
  expect((await report(service, 'phishing', { reason: 'Phishing' })).statusCode).toBe(200);
  // Has its place already.
  expect((await report(service, 'flood-0', { reason: 'Phishing' })).statusCode).toBe(200);
  const ids = (await store.administration.listReports()).map(({ linkId }) => linkId);
  expect(ids).toHaveLength(5000);
  expect(ids).toContain(id);
  expect(ids).toContain(links[0]?.link.id);
  expect(ids).not.toContain(links[1]?.link.id);
});
