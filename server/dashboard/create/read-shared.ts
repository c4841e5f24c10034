import { findUrl, readTypedUrl } from '../../../shared/links/url-in-text.ts';

/** What another app shared: `?url=`, `?text=` and `?title=`. Many apps put the URL into the text. */
export function readShared(query: URLSearchParams): { url: string; title: string } {
  const [url = '', text = '', title = ''] = ['url', 'text', 'title'].map(
    (name) => query.get(name)?.trim() ?? '',
  );
  const found = [text, title].find((each) => /https?:\/\//i.test(each)) ?? text;
  const chosen = readTypedUrl(url) || (findUrl(found) ?? text);
  return { url: chosen, title: title === chosen ? '' : title };
}
