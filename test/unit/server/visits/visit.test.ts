import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { UserAgent } from '../../../../server/visits/user-agent.ts';
import { classifyVisit } from '../../../../server/visits/visit.ts';

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';
const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15';

const classOf = (userAgent: string | undefined, headers: Record<string, string> = {}) =>
  classifyVisit({
    method: 'GET',
    headers: { ...headers, ...(userAgent !== undefined && { 'user-agent': userAgent }) },
  });

test.each([
  CHROME,
  `${IPHONE} Mobile/15E148 [FBAN/FBIOS;FBAV/480.0.0.0;FBDV/iPhone14,5]`,
  `${IPHONE} Mobile/15E148 [LinkedInApp]/9.29`,
  `${IPHONE} Mobile/15E148 [Pinterest/iOS]`,
  `${IPHONE} Mobile/15E148 Snapchat/12.70`,
])('%s is a person', (userAgent) => {
  expect(classOf(userAgent)).toBe('people');
});

/** What one of Meta's apps on Android says of itself, in its own order. */
const metaApp = (app: string, carrier: string) =>
  `[FBAN/${app};FBAV/540.0.0.50.148;FBBV/789;FBDM/{density=2.8,width=1080,height=2171};FBLC/de_DE;FBRV/0;FBCR/${carrier};FBMF/samsung;FBBD/samsung;FBPN/com.facebook.katana;FBDV/SM-A536B;FBSV/14;FBOP/1;FBCA/arm64-v8a:;]`;
const WEB_VIEW =
  'Mozilla/5.0 (Linux; Android 14; SM-A536B Build/UP1A.231005.007; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/131.0.6778.135 Mobile Safari/537.36';

test.each([
  metaApp('FB4A', 'Vodafone'),
  metaApp('FB4A', ''),
  metaApp('FB4A', 'Telekom.de'),
  metaApp('Orca-Android', 'airtel|Jio'),
  metaApp('EMA', 'Url Scan Server'),
  metaApp('FB4A', 'Vodafone').slice(0, -1),
  metaApp('FB4A', 'Vodafone').replace('[FBAN', '[FB_IAB'),
  `Dalvik/2.1.0 (Linux; U; Android 13; SM-A536B Build/TP1A.220624.014) ${metaApp('FB4A', '1&1')}`,
  `${WEB_VIEW} ${metaApp('MESSENGER', 'Proxy Mobile')}`,
  'Instagram 410.0.0.0.96 Android (33/13; 480dpi; 1080x2236; samsung; SM-A536B; a53x; s5e8825; de_DE; 612345678)',
  'Instagram 302.0.0.23.109 (iPhone14,5; iOS 16_0; en_US; en-US; scale=3.00; 1170x2532)',
  `${WEB_VIEW} Instagram 410.0.0.0.96 Android (33/13; 480dpi; 1080x2236; samsung; SM-A536B; scan; check; de_DE; 6)`,
])("in one of Meta's apps is a person with a phone: %s", (userAgent) => {
  expect(classOf(userAgent)).toBe('people');
  const { system, device } = UserAgent.of(userAgent).families;
  expect(device).toBe('mobile');
  expect(system).toBe(userAgent.includes('iOS') ? 'iOS' : 'Android');
});

test.each([
  'Mozilla/4.0 (compatible; MSIE 7.0; Windows NT 10.0; Win64; x64; Trident/7.0; ms-office; MSOffice 16)',
  'Microsoft Office/16.0 (Windows NT 10.0; Microsoft Word 16.0.17328; Pro)',
  'Microsoft Office Protocol Discovery',
])('Office is a preview: %s', (userAgent) => {
  expect(classOf(userAgent)).toBe('previews');
});

test.each([
  `${WEB_VIEW} Googlebot/2.1 [FBAN/FB4A;FBAV/540;]`,
  '[FBAN/FB4A;FBAV/540;] curl/8.5.0',
  'x'.repeat(60),
])('a bot stays one with or without the details of an app: %s', (userAgent) => {
  expect(classOf(userAgent)).toBe('bots');
});

test.each([undefined, '', ' '])(
  'a request without a user agent is of no browser, and so of no person',
  (userAgent) => {
    expect(classOf(userAgent)).toBe('bots');
  },
);

/** A list of user agents that others keep. */
const readList = (path: string) =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../../../../node_modules', path), 'utf8'));
const browsers = new Set(
  (readList('user-agents/dist/user-agents.json') as { userAgent: string }[]).map(
    ({ userAgent }) => userAgent,
  ),
);
type Crawler = { pattern: string; instances: string[]; tags: string[] };
/** These patterns are of phones with Meta's apps in them. */
const NOT_OF_CRAWLERS = ['AP3A\\.240617\\.008', 'MetaIAB Facebook'];
const crawlers = (readList('crawler-user-agents/crawler-user-agents.json') as Crawler[]).filter(
  ({ pattern }) => !NOT_OF_CRAWLERS.includes(pattern),
);

test('at most one in 1,000 user agents of real browsers is not of a person', () => {
  expect(browsers.size).toBeGreaterThan(500);
  const lost = [...browsers].filter((userAgent) => classOf(userAgent) !== 'people');
  expect(lost.length / browsers.size, lost.join('\n')).toBeLessThanOrEqual(0.001);
});

test('no known crawler is a person', () => {
  const userAgents = crawlers.flatMap(({ instances }) => instances);
  expect(userAgents.length).toBeGreaterThan(1500);
  expect(userAgents.filter((userAgent) => classOf(userAgent) === 'people')).toEqual([]);
});

/** Of those that the list has as `social-preview`: they index pages, count shares or pass on pictures. */
const NO_PREVIEW =
  /TweetmemeBot|AddThis|^Slackbot 1|BingPreview|Jetslide|NewShareCounts|^NING|Hatena|Google Web Preview|Proxy|github-camo|Linespider|meta-externalagent|TikTokSpider|meta-webindexer|AASA-Bot|bluesky-domain|Goodreads|Dazzle|Supabase|FastmailUA|\(dbot\)|Shortwave|ListGem/;

test('programs that show previews are known as such', () => {
  const userAgents = crawlers
    .filter(({ tags }) => tags.includes('social-preview'))
    .flatMap(({ instances }) => instances)
    .filter((userAgent) => !NO_PREVIEW.test(userAgent));
  expect(userAgents.length).toBeGreaterThan(80);
  expect(userAgents.filter((userAgent) => classOf(userAgent) !== 'previews')).toEqual([]);
});

test.each([
  'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
  'Twitterbot/1.0',
  'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
  'meta-externalfetcher/1.1',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 (KHTML, like Gecko) Version/9.0.1 Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0',
  'WhatsApp/2.23.20.0 A',
  'TelegramBot (like TwitterBot)',
  'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)',
  'LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)',
  'Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5 skype-url-preview@microsoft.com',
  'Mastodon/4.5.0 (http.rb/5.3.1; +https://mastodon.social/)',
  'http.rb/5.1.1 (Mastodon/4.1.2; +https://mastodon.example/) Bot',
  'Mozilla/5.0 (compatible; redditbot/1.0; +http://www.reddit.com/feedback)',
  // Discord, for what is in the preview.
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.10; rv:38.0) Gecko/20100101 Firefox/38.0',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 11.6; rv:92.0) Gecko/20100101 Firefox/92.0',
])('%s shows a preview', (userAgent) => {
  expect(classOf(userAgent)).toBe('previews');
});

test.each([
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'Slackbot 1.0 (+https://api.slack.com/robots)',
  'curl/8.5.0',
])('%s is another bot', (userAgent) => {
  expect(classOf(userAgent)).toBe('bots');
});

test('only the start of a user agent is searched, since a long one takes milliseconds', () => {
  expect(classOf(`${CHROME} ${'m'.repeat(15_000)} Googlebot`)).toBe('people');
});

test.each([
  { 'sec-purpose': 'prefetch' },
  { 'sec-purpose': 'prefetch;prerender' },
  { purpose: 'prefetch' },
  { 'x-moz': 'prefetch' },
  { purpose: 'preview' },
  { 'x-purpose': 'preview' },
  { 'x-purpose': ' Preview' },
])('a prefetch is a preview: %o', (headers) => {
  expect(classOf(CHROME, headers)).toBe('previews');
});

test('a HEAD request is a preview', () => {
  const headers = { 'user-agent': CHROME };
  expect(classifyVisit({ method: 'HEAD', headers })).toBe('previews');
});
