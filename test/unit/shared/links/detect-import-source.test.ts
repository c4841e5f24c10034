import { expect, test } from 'vitest';
import { detectImportSource } from '../../../../shared/links/detect-import-source.ts';

test.each([
  ['curt', '{"version":1,"links":[{"alias":"a","originalUrl":"https://example.com"}]}'],
  ['shlink', '{"shortUrls":{"data":[{"shortCode":"a","longUrl":"https://example.com"}]}}'],
  ['shlink', 'createdAt,shortUrl,longUrl,title,shortCode,tags,visits\r\n'],
  ['kutt', '{"data":[{"id":"1","address":"a","target":"https://example.com","visit_count":1}]}'],
  ['yourls', '{"links":{"link_1":{"shorturl":"https://s.example/a","url":"https://example.com"}}}'],
  ['yourls', '"keyword","url","title","timestamp","ip","clicks"\n'],
  ['bitly', '{"links":[{"id":"bit.ly/a","long_url":"https://example.com"}]}'],
  ['bitly', '\ufeffTitle,Bitlink,Destination URL\n'],
  ['bitly', 'Link,Long URL,Clicks\n'],
  ['csv', 'alias,originalUrl,title\nkeyword,https://example.com,\n'],
  ['csv', ''],
])('recognizes a file of %s', (source, start) => {
  expect(detectImportSource(start)).toBe(source);
});
