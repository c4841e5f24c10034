export const CONTAINER_ID = 'GTM-CURT123';
export const CONTAINER_URL = `https://www.googletagmanager.com/gtm.js?id=${CONTAINER_ID}`;

/** The answer to a request for a script. */
export function script(body: string) {
  return { contentType: 'text/javascript', body };
}

/** What a container does as far as the page can see: runs its tags, then says that it is done. */
export function container(...tags: string[]) {
  return script(`
    for (const src of ${JSON.stringify(tags)}) {
      document.head.append(Object.assign(document.createElement('script'), { src, async: true }));
    }
    const handle = (entry) => entry.eventCallback?.(${JSON.stringify(CONTAINER_ID)});
    dataLayer.forEach(handle);
    dataLayer.push = function (...entries) {
      entries.forEach(handle);
      return Array.prototype.push.apply(this, entries);
    };`);
}
