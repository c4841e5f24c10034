import { expect } from 'vitest';
import { createClient } from '../../../../shared/client.ts';
import type { CreatedLinkRecord } from '../../../../shared/links/link-record.ts';
import type { StatisticsReport } from '../../../../shared/statistics.ts';
import type { AppServer } from '../servers/app-server.ts';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0';
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1';
const SLACK = 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)';
const GOOGLE = 'Mozilla/5.0 (compatible; Googlebot/2.1)';

/** Visits a link: three people with two browsers, one preview and one bot. */
export async function visitAsMany(
  { baseUrl }: Pick<AppServer, 'baseUrl'>,
  { shortUrl, authToken }: CreatedLinkRecord,
): Promise<StatisticsReport['totals']> {
  const totals = { people: 3, uniquePeople: 2, previews: 1, bots: 1 };
  const referer = 'https://news.example/story';
  await visit(shortUrl, { 'user-agent': FIREFOX, referer });
  await visit(shortUrl, { 'user-agent': FIREFOX, referer });
  await visit(shortUrl, { 'user-agent': IPHONE });
  await visit(shortUrl, { 'user-agent': SLACK });
  await visit(shortUrl, { 'user-agent': GOOGLE });
  const client = createClient({ baseUrl });
  // They are counted in the background.
  await expect
    .poll(async () => countsOf(await client.getStatistics({ token: authToken })))
    .toEqual(totals);
  return totals;
}

async function visit(url: string, headers: Record<string, string>): Promise<void> {
  await fetch(url, { headers, redirect: 'manual' });
}

function countsOf(result: Awaited<ReturnType<ReturnType<typeof createClient>['getStatistics']>>) {
  return result.ok ? result.data.totals : undefined;
}
