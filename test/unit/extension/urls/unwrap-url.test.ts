import { describe, expect, test } from 'vitest';
import { unwrapUrl } from '../../../../shared/links/unwrap-url.ts';

const PAGE = 'https://example.com/a?b=c&d=%20#e';
const IN_QUERY = encodeURIComponent(PAGE);

describe('a link that wraps a page is unwrapped', () => {
  test.each([
    `https://eur01.safelinks.protection.outlook.com/?url=${IN_QUERY}&data=05%7C02%7Cme%40x.example%7C1&reserved=0`,
    `https://gcc02.safelinks.protection.outlook.com/ap/t-59584e83/?url=${IN_QUERY}&data=1`,
    `https://statics.teams.cdn.office.net/evergreen-assets/safelinks/1/atp-safelinks.html?url=${IN_QUERY}&locale=en`,
    `https://www.google.com/url?sa=t&q=${IN_QUERY}&usg=x`,
    `https://www.google.co.uk/url?url=${IN_QUERY}`,
    `https://google.de/url?q=${IN_QUERY}`,
    `https://l.facebook.com/l.php?u=${IN_QUERY}&h=AT0`,
    `https://lm.facebook.com/l.php?u=${IN_QUERY}`,
    `https://l.instagram.com/?u=${IN_QUERY}&e=AT0`,
    `https://l.messenger.com/l.php?u=${IN_QUERY}`,
    `https://www.youtube.com/redirect?event=video_description&redir_token=QUF&q=${IN_QUERY}&v=x`,
    `https://consent.youtube.com/m?continue=${IN_QUERY}&gl=DE`,
    `https://urldefense.proofpoint.com/v1/url?u=${IN_QUERY}&k=x`,
    `https://linkprotect.cudasvc.com/url?a=${IN_QUERY}&c=E,1,x`,
    `https://protect-eu.mimecast.com/redirect?url=${IN_QUERY}`,
    `https://clicktime.symantec.com/3AB?u=${IN_QUERY}`,
    `https://secure-web.cisco.com/1token/${IN_QUERY}`,
    `https://eu-central-1.protection.sophos.com/?d=example.com&u=${btoa(PAGE)}&i=1`,
    `https://www.bing.com/ck/a?!&&p=1&u=a1${btoa(PAGE).replace(/=+$/, '')}&ntb=1`,
    `https://www.linkedin.com/safety/go?url=${IN_QUERY}&trk=x`,
    `https://out.reddit.com/t3_x?url=${IN_QUERY}&token=x`,
    `https://duckduckgo.com/l/?uddg=${IN_QUERY}&rut=x`,
    `https://vk.com/away.php?to=${IN_QUERY}`,
    `https://steamcommunity.com/linkfilter/?u=${IN_QUERY}`,
  ])('%s', (url) => {
    expect(unwrapUrl(url)).toEqual({ url: PAGE, host: new URL(url).hostname });
  });

  test.each([
    // As the decoders that Proofpoint publishes read them.
    [
      'https://urldefense.proofpoint.com/v2/url?u=https-3A__example.com_a-2Db-3Fc-3Dd-26e-3D-255F&d=DwMF&c=x',
      'https://example.com/a-b?c=d&e=%5F',
    ],
    [
      'https://urldefense.com/v3/__https://example.com/a?b=c__;!!Abc!x-y_z$',
      'https://example.com/a?b=c',
    ],
    [
      'https://urldefense.com/v3/__https://example.com/a*b*c__;Iys!!Abc!x$',
      'https://example.com/a#b+c',
    ],
    [
      'https://urldefense.us/v3/__https:/example.com/**B**A.html__;w6TDtsO8w58h!!Abc!x$',
      'https://example.com/äöüß!.html',
    ],
    [
      'https://protect.checkpoint.com/v2/___https://example.com/a___.YXAzOmV4',
      'https://example.com/a',
    ],
  ])('%s', (url, page) => {
    expect(unwrapUrl(url).url).toBe(page);
  });

  test('also if it is wrapped several times', () => {
    const inner = `https://l.facebook.com/l.php?u=${IN_QUERY}`;
    const outer = `https://nam02.safelinks.protection.outlook.com/?url=${encodeURIComponent(inner)}`;
    const host = 'nam02.safelinks.protection.outlook.com';
    expect(unwrapUrl(outer)).toEqual({ url: PAGE, host });
  });
});

test.each([
  'https://example.com/?url=https%3A%2F%2Fother.example',
  'https://eur01.safelinks.protection.outlook.com.example/?url=https%3A%2F%2Fx.example',
  'https://eur01.safelinks.protection.outlook.com/?data=1',
  'https://eur01.safelinks.protection.outlook.com/?url=javascript%3Aalert(1)',
  'https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fme%3Asecret%40x.example',
  'https://www.google.com/search?q=https%3A%2F%2Fx.example',
  'https://www.facebook.com/sharer.php?u=https%3A%2F%2Fx.example',
  'https://www.youtube.com/watch?v=x&q=https%3A%2F%2Fx.example',
  'https://protect-eu.mimecast.com/s/AbC?domain=example.com',
  'https://urldefense.com/v3/__https://example.com',
  'https://urldefense.com/v3/__https://example.com__;%%%!!x$',
  'https://www.bing.com/ck/a?u=a1%%%',
  'not a url',
])('%s stays as it is', (url) => {
  expect(unwrapUrl(url)).toEqual({ url });
});
