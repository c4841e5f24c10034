const URL_IN_TEXT = /https?:\/\/\S+/i;

/** What another app shared: `?url=`, `?text=` and `?title=`. Many apps put the URL into the text. */
export function readShared(query: URLSearchParams): { url: string; title: string } {
  const [url, text, title] = ['url', 'text', 'title'].map((name) => query.get(name)?.trim() ?? '');
  const found = [url, text, title].map((value) => URL_IN_TEXT.exec(value ?? '')?.[0]);
  const chosen = url || found.find((value) => value !== undefined) || text || '';
  return { url: chosen, title: title === chosen ? '' : (title ?? '') };
}
