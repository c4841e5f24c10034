import { describe, expect, test } from 'vitest';
import { linkResponseSchema } from '../../../shared/links/link-responses.ts';
import { ADMIN_TOKEN, block, callAsAdmin } from '../admin/as-admin.ts';
import { call, makeLink, START, startService } from '../support.ts';
import { importFile } from '../transfer/support.ts';
import { expectHits, goLinkOf, visit } from '../visits/visiting.ts';

const PAGE = 'https://example.com/';
const env = { EXTRA_SCHEMES: 'mailto, Tel,zoommtg', ADMIN_TOKEN };

async function start(fields: Record<string, unknown>) {
  const service = await startService({ env });
  const { authToken: token } = await makeLink(service, { customAlias: 'launch', ...fields });
  return { service, token };
}

describe('targets with the schemes of EXTRA_SCHEMES', () => {
  test.each([
    ['tel:+41 44 123 45 67', 'tel:+41%2044%20123%2045%2067'],
    ['tel:112', 'tel:112'],
    ['MAILTO:Ann@example.com?subject=Hi', 'mailto:Ann@example.com?subject=Hi'],
    ['zoommtg://zoom.us/join?confno=1&pwd=ä', 'zoommtg://zoom.us/join?confno=1&pwd=%C3%A4'],
  ])('%s is redirected to, and counted', async (originalUrl, location) => {
    const { service, token } = await start({ originalUrl });
    expect((await visit(service, '/launch')).headers.location).toBe(location);
    const record = await call(service, 'GET /api/links/launch', { token });
    expect(linkResponseSchema.parse(record.json()).data.originalUrl).toBe(originalUrl);
    await expectHits(service, 'launch', 1);
  });

  test('are those of rules and goneUrl, too, and get no query', async () => {
    const { service, token } = await start({
      originalUrl: PAGE,
      forwardQuery: true,
      rules: [{ query: { name: 'call' }, originalUrl: 'tel:112' }],
      goneUrl: 'mailto:a@b.example',
    });
    expect((await visit(service, '/launch?call=1')).headers.location).toBe('tel:112');
    expect((await visit(service, '/launch?a=1')).headers.location).toBe(`${PAGE}?a=1`);
    await call(service, 'PATCH /api/links/launch', { token, body: { isActive: false } });
    expect((await visit(service, '/launch?a=1')).headers.location).toBe('mailto:a@b.example');
  });

  test('are shown as text, and opened by way of the short URL only', async () => {
    const rules = [{ device: 'phone', originalUrl: 'tel:112' }];
    const { service, token } = await start({ originalUrl: 'mailto:a@b.example', rules });
    const inspected = await visit(service, '/launch+');
    for (const target of ['mailto:a@b.example', 'tel:112']) {
      expect(inspected.body).toContain(`<bdi dir="ltr">${target}</bdi>`);
      expect(inspected.body).not.toContain(`="${target}`);
    }
    await call(service, 'PATCH /api/links/launch', { token, body: { waitTimer: 5 } });
    for (const path of ['/launch', '/launch+']) {
      const { body } = await visit(service, path);
      expect(body).toContain('mailto:');
      expect(body).not.toContain('a@b.example');
    }
    const page = await visit(service, '/launch');
    await service.clock.advance(5000);
    expect((await visit(service, goLinkOf(page))).headers.location).toBe('mailto:a@b.example');
  });

  test('are allowed by the policy of the password form, which leads to them', async () => {
    const { service } = await start({ originalUrl: 'tel:112', password: 'open' });
    const { headers } = await visit(service, '/launch');
    expect(headers['content-security-policy']).toContain(
      "form-action 'self' http: https: mailto: tel: zoommtg:;",
    );
    const opened = await visit(service, '/launch', { form: { password: 'open' } });
    expect(opened).toMatchObject({ statusCode: 303, headers: { location: 'tel:112' } });
  });

  test('are blocked by their host', async () => {
    const { service, token } = await start({ originalUrl: 'zoommtg://Join.Zoom.example/x' });
    await block(service, 'host', 'zoom.example');
    expect((await visit(service, '/launch')).statusCode).toBe(451);
    const body = { originalUrl: 'zoommtg://zoom.example' };
    expect((await call(service, 'POST /api/shorten', { token, body })).json()).toMatchObject({
      code: 'blocked_url',
    });
  });
});

describe('no target', () => {
  test('is one of another scheme, or one that is not valid', async () => {
    const { service, token } = await start({ originalUrl: PAGE });
    for (const [url, message] of [
      ['sms:1', 'Only http:// and https:// URLs can be shortened, not "sms:".'],
      [
        'javascript:alert(1)',
        'Only http:// and https:// URLs can be shortened, not "javascript:".',
      ],
      ['JAVASCRIPT:1', expect.any(String)],
      ['data:text/html,x', expect.any(String)],
      ['java\tscript:alert(1)', expect.stringContaining('control characters')],
      ['mailto:', 'This is not a valid URL.'],
      ['mailto:a\u0000b', expect.stringContaining('control characters')],
      ['zoommtg://me:secret@zoom.us/', 'The URL contains a username or password. Remove it.'],
      ['zoommtg://zoom%2Eus/', 'This is not a valid URL.'],
      [`tel:${'1'.repeat(9000)}`, expect.stringContaining('longer than')],
      ['tel:ü'.padEnd(8000, 'ü'), expect.stringContaining('after percent-encoding')],
    ]) {
      const rules = [{ device: 'phone', originalUrl: url }];
      for (const [path, fields] of [
        ['originalUrl', { originalUrl: url }],
        ['rules.0.originalUrl', { originalUrl: PAGE, rules }],
        ['goneUrl', { originalUrl: PAGE, goneUrl: url }],
      ] as const) {
        const response = await call(service, 'POST /api/shorten', { token, body: fields });
        const issues = [{ path, message }];
        expect(response.json(), url).toMatchObject({ code: 'invalid_url', issues });
      }
    }
  });

  test('is a domain’s page, nor the picture of a card', async () => {
    const { service, token } = await start({ originalUrl: PAGE });
    const body = { host: 'go.example', rootUrl: 'tel:112' };
    expect((await callAsAdmin(service, 'POST /api/admin/domains', body)).statusCode).toBe(400);
    const card = { card: { imageUrl: 'tel:112' } };
    const edited = await call(service, 'PATCH /api/links/launch', { token, body: card });
    expect(edited.json()).toMatchObject({ issues: [{ path: 'card.imageUrl' }] });
  });
});

test('an imported link has an allowed scheme, or is reported', async () => {
  const { service, token } = await start({ originalUrl: PAGE });
  const created = new Date(START).toISOString();
  const rows = ['tel:112', 'sms:1'].map((originalUrl, index) => {
    return { alias: `row-${index}`, originalUrl, created };
  });
  expect((await importFile(service, 'curt', rows, { token })).results).toMatchObject([
    { status: 'imported', alias: 'row-0' },
    { status: 'failed', message: expect.stringMatching(/^originalUrl: .*not "sms:"\.$/) },
  ]);
});
