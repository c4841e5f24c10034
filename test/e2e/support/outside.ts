import type { HTTPRequest, Page, ResponseForRequest } from 'puppeteer-core';

/** What a host outside says: a response, no connection, or nothing ever. */
export type OutsideAnswer = Partial<ResponseForRequest> | 'refuse' | 'never';

export type Outside = {
  /** Every URL asked of a host outside, oldest first. */
  asked: string[];
};

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Answers the page's requests to hosts outside in their stead and records them. Requests to
 * loopback, and those that no network sees (`data:`, `blob:`, `chrome-extension:`), go their way.
 * @param answer by default every connection is refused
 */
export async function interceptOutside(
  page: Page,
  answer: (url: URL) => OutsideAnswer = () => 'refuse',
): Promise<Outside> {
  const asked: string[] = [];
  await page.setRequestInterception(true);
  page.on('request', (request: HTTPRequest) => {
    const url = new URL(request.url());
    if (!/^https?:$/.test(url.protocol) || LOOPBACK.has(url.hostname)) {
      void request.continue();
      return;
    }
    asked.push(url.href);
    const reply = answer(url);
    if (reply === 'never') return;
    void (reply === 'refuse' ? request.abort('connectionrefused') : request.respond(reply));
  });
  return { asked };
}
