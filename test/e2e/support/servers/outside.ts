import type { HTTPRequest, Page, ResponseForRequest } from 'puppeteer-core';

/** How an external host reacts: with a response, a refused connection, or never. */
export type OutsideAnswer = Partial<ResponseForRequest> | 'refuse' | 'never';

export type Outside = {
  /** Every URL requested from an external host, oldest first. */
  asked: string[];
};

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Intercepts and records the page's requests to external hosts. Requests to loopback, and those
 * without a network (`data:`, `blob:`, `chrome-extension:`), pass.
 * @param answer by default every connection is refused
 */
export async function interceptOutside(
  page: Page,
  answer: (url: URL) => OutsideAnswer = () => 'refuse',
): Promise<Outside> {
  const asked: string[] = [];
  await intercept(page, (request) => {
    const url = new URL(request.url());
    if (!/^https?:$/.test(url.protocol) || LOOPBACK.has(url.hostname)) return request.continue();
    asked.push(url.href);
    const reply = answer(url);
    if (reply === 'never') return;
    return reply === 'refuse' ? request.abort('connectionrefused') : request.respond(reply);
  });
  return { asked };
}

/** Passes the page's requests to a function that continues, refuses or responds to each. */
export async function intercept(
  page: Page,
  handle: (request: HTTPRequest) => Promise<void> | void,
): Promise<void> {
  // First: a request that is stopped before anybody listens would never go on.
  page.on('request', (request) => {
    const isStopped = request.interceptResolutionState().action !== 'disabled';
    if (isStopped) void handle(request);
  });
  await page.setRequestInterception(true);
}
