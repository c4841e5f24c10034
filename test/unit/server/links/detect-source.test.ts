import { expect, test } from 'vitest';
import { detectSource } from '../../../../server/links/transfer/formats/detect-source.ts';

test.each([
  ['curt', '{"version":1,"links":[{"alias":"a","originalUrl":"https://example.com"}]}'],
  ['curt', '{"curt":"links","version":1,"links":[]}'],
  ['shlink', '{"shortUrls":{"data":[{"shortCode":"a","longUrl":"https://example.com"}]}}'],
  ['shlink', 'createdAt,shortUrl,longUrl,title,shortCode,tags,visits\r\n'],
  ['kutt', '{"data":[{"id":"1","address":"a","target":"https://example.com","visit_count":1}]}'],
  ['dub', '[{"id":"link_1","domain":"dub.sh","key":"a","shortLink":"https://dub.sh/a"}]'],
  ['yourls', '{"links":{"link_1":{"shorturl":"https://s.example/a","url":"https://example.com"}}}'],
  ['yourls', '"keyword","url","title","timestamp","ip","clicks"\n'],
  ['bitly', '{"links":[{"id":"bit.ly/a","long_url":"https://example.com"}]}'],
  ['bitly', '\ufeffTitle,Bitlink,Destination URL\n'],
  ['bitly', 'Link,Long URL,Clicks\n'],
  ['bitly', 'Link,Original URL,Clicks\n'],
  ['curt', 'alias,originalUrl,title\nkeyword,https://example.com,\n'],
  ['curt', 'id;shortUrl;originalUrl\n'],
  ['curt', 'alias,originalUrl,remarks\n'],
  ['curt', 'id,shortUrl,alias,originalUrl,hasPassword,isActive,note\n'],
])('recognizes a file of %s', (source, start) => {
  expect(detectSource(start, /^[[{]/.test(start))).toBe(source);
});

test.each(['', 'a,b\n', '<!doctype html>', '{"a":1}', '[]'])('rejects %j', (start) => {
  expect(() => detectSource(start, /^[[{]/.test(start))).toThrow(
    /^The file is neither an export of Curt, .* nor a table .* originalUrl\.$/,
  );
});
