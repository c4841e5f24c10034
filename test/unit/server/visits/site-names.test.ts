import { expect, test } from 'vitest';
import { siteName } from '../../../../server/visits/report/site-names.ts';

test.each([
  ['google.de', 'Google'],
  ['google.co.uk', 'Google'],
  ['mail.google.com', 'Google'],
  ['t.co', 'X'],
  ['x.com', 'X'],
  ['l.facebook.com', 'Facebook'],
  ['lnkd.in', 'LinkedIn'],
  ['com.linkedin.android', 'LinkedIn'],
  ['chatgpt.com', 'ChatGPT'],
  ['news.ycombinator.com', 'Hacker News'],
])('a referrer %s is shown as %s', (host, name) => {
  expect(siteName(host)).toBe(name);
});

test.each([
  'example.com',
  'notgoogle.com',
  'google.example.com',
  'localhost',
  'direct',
  'other',
  '{}',
])('a referrer %s keeps its own name', (host) => {
  expect(siteName(host)).toBe(host);
});
