import { expect, test } from 'vitest';
import { makeLink, startService } from '../support.ts';
import { visit } from './visiting.ts';

const reportOf = (body: string) => /<a href="([^"]+)"[^>]*>Report this link<\/a>/.exec(body)?.[1];

async function startWith(env: Record<string, string>) {
  const service = await startService({ env });
  await makeLink(service, { customAlias: 'plain' });
  await makeLink(service, { customAlias: 'waits', waitTimer: 5 });
  await makeLink(service, { customAlias: 'locked', password: 'x' });
  return async (path: string) => reportOf((await visit(service, path)).body);
}

test('preview, inspect and error pages have REPORT_URL, with the link as the subject of a mail', async () => {
  const report = await startWith({ REPORT_URL: 'mailto:abuse@example.com' });
  expect(await report('/waits?x=y')).toBe('mailto:abuse@example.com?subject=Report%20%2Fwaits');
  expect(await report('/plain+')).toBe('mailto:abuse@example.com?subject=Report%20%2Fplain');
  expect(await report('/unknown')).toBe('mailto:abuse@example.com?subject=Report%20%2Funknown');
  for (const path of ['/', '/locked']) expect(await report(path)).toBeUndefined();
});

test.each([
  ['https://example.com/report?from=curt&x', 'https://example.com/report?from=curt&amp;x'],
  ['mailto:a@example.com?subject=Abuse', 'mailto:a@example.com?subject=Abuse'],
  [
    'mailto:a@example.com?cc=b@example.com',
    'mailto:a@example.com?cc=b@example.com&amp;subject=Report%20%2Fplain',
  ],
])('%s is %s', async (reportUrl, href) => {
  const report = await startWith({ REPORT_URL: reportUrl });
  expect(await report('/plain+')).toBe(href);
});

test('there is no such link without REPORT_URL', async () => {
  const report = await startWith({});
  for (const path of ['/waits', '/plain+', '/unknown']) expect(await report(path)).toBeUndefined();
});
