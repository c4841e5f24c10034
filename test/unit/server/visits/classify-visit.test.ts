import { expect, test } from 'vitest';
import { classifyVisit } from '../../../../server/visits/classify-visit.ts';

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
  undefined,
  '',
  `${IPHONE} Mobile/15E148 [FBAN/FBIOS;FBAV/480.0.0.0;FBDV/iPhone14,5]`,
  `${IPHONE} Mobile/15E148 [LinkedInApp]/9.29`,
  `${IPHONE} Mobile/15E148 [Pinterest/iOS]`,
  `${IPHONE} Mobile/15E148 Snapchat/12.70`,
])('%s is a person', (userAgent) => {
  expect(classOf(userAgent)).toBe('people');
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
])('a prefetch is a preview: %o', (headers) => {
  expect(classOf(CHROME, headers)).toBe('previews');
});

test('a HEAD request is a preview', () => {
  const headers = { 'user-agent': CHROME };
  expect(classifyVisit({ method: 'HEAD', headers })).toBe('previews');
});
