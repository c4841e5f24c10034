import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ADMIN_TOKEN, block, createAccount } from '../admin/as-admin.ts';
import { USES_POSTGRES } from '../data/test-data.ts';
import { BASE_URL, call, makeLink, startService, type TestService } from '../support.ts';
import { anyRequestFor } from './any-request.ts';
import { listOperations } from './operations.ts';

const REQUESTS_PER_OPERATION = 25;
const PROXY = '10.0.0.1';
const NO_LIMITS = {
  RATE_LIMIT_PER_MINUTE: '1000000',
  UNKNOWN_PER_MINUTE: '1000000',
  ANONYMOUS_PER_DAY: '1000000',
  MONTHLY_QUOTA: 'unlimited',
};

test('no parameter, header or body of any request makes the server fail', async () => {
  const service = await startService({
    env: { ...NO_LIMITS, ADMIN_TOKEN, IDENTITY_HEADER: 'X-User', TRUST_PROXY: PROXY },
  });
  const operations = await listOperations(service.app);
  expect(operations.length).toBeGreaterThan(30);
  for (const operation of operations) {
    let { token, names } = await newSubject(service);
    const isAdmin = operation.path.startsWith('/api/admin/');
    await fc.assert(
      fc.asyncProperty(anyRequestFor(operation, names), async ({ headers, method, ...request }) => {
        const response = await service.app.inject({
          ...request,
          method: method as 'GET',
          remoteAddress: PROXY,
          headers: {
            // What a browser sends from a page of the server.
            ...{ 'sec-fetch-site': 'same-origin', origin: BASE_URL, 'x-user': 'ada' },
            authorization: `Bearer ${isAdmin ? ADMIN_TOKEN : token}`,
            ...headers,
          },
        });
        // It is in the log also if it is a part of a response that succeeds.
        expect(service.logLines.splice(0).filter(isFailure)).toEqual([]);
        expect(response.statusCode).toBeLessThan(500);
        // It has deleted its account or revoked its token.
        if (response.statusCode === 401) ({ token } = await newSubject(service));
      }),
      { numRuns: REQUESTS_PER_OPERATION },
    );
  }
});

/** A task in the background reports also that this process was too busy to read the database's answer. */
function isFailure(line: string): boolean {
  const isOfTask = !line.includes('"reqId"') && line.includes('"type":"StoreUnavailableError"');
  return line.includes('"level":50') && !(USES_POSTGRES && isOfTask);
}

/** An account with something of everything that a parameter can name. */
async function newSubject(service: TestService): Promise<{ token: string; names: string[] }> {
  const { id: accountId, token } = await createAccount(service);
  // An administrator's request may have blocked any host that it could name.
  const originalUrl = `https://${crypto.randomUUID()}.test`;
  const { id, alias } = await makeLink(service, { originalUrl, password: 'open' }, { token });
  const { alias: other } = await makeLink(service, { originalUrl }, { token });
  const host = `${alias}.example`;
  await block(service, 'host', host);
  const tokens = await call(service, 'GET /api/account/tokens', { token });
  return { token, names: [accountId, id, alias, other, host, 'host', tokens.json().data[0].id] };
}
