import { browser } from 'wxt/browser';
import { z } from 'zod';
import { ORIGINAL_URL_MAX_CHARACTERS } from '../../../shared/limits.ts';
import { type CanonicalUrls, type PageUrls, selectCanonical } from '../../urls/canonical-url.ts';

/** If the page takes longer, the tab's URL is used. */
const ANSWER_TIMEOUT_MS = 300;
/**
 * On a busy machine, Chromium may run the script before the page's process knows of the permission
 * that the click granted, and reports that the permission is missing.
 */
const RETRY_AFTER_MS = 50;
const MAX_TRIES = ANSWER_TIMEOUT_MS / RETRY_AFTER_MS;

const urlsSchema = z.array(z.string().max(ORIGINAL_URL_MAX_CHARACTERS)).max(4);
const pageUrlsSchema: z.ZodType<PageUrls> = z.object({
  canonical: urlsSchema,
  openGraph: urlsSchema,
  shortlink: urlsSchema,
  loadedFrom: z.string().min(1).max(ORIGINAL_URL_MAX_CHARACTERS),
});

/**
 * Reads the canonical URL of a tab's page, after the user invoked the extension on it. Returns
 * undefined if the page doesn't tell: if the browser forbids scripts, as in its own pages and its PDF
 * viewer, or if the page does not respond in time. Only the text of the browser's error would tell
 * which it is, so the user is told of each.
 */
export async function readCanonicalUrl(
  tabId: number,
  tabUrl: string,
): Promise<CanonicalUrls | undefined> {
  const frames = await Promise.race([runReadHead(tabId), delay(ANSWER_TIMEOUT_MS)]);
  const parsed = pageUrlsSchema.safeParse(frames?.[0]?.result);
  return parsed.success ? selectCanonical(tabUrl, parsed.data) : undefined;
}

async function runReadHead(tabId: number) {
  for (let tries = 1; ; tries += 1) {
    try {
      return await browser.scripting.executeScript({ target: { tabId }, func: readHead });
    } catch {
      if (tries === MAX_TRIES) return undefined;
      await delay(RETRY_AFTER_MS);
    }
  }
}

function delay(ms: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Runs in the page, so it cannot use anything outside of this function. */
function readHead(): PageUrls {
  const MAX_PER_KIND = 4;
  const linked = (selector: string) =>
    [...document.querySelectorAll<HTMLLinkElement>(selector)]
      .slice(0, MAX_PER_KIND)
      .map(({ href }) => href);
  return {
    canonical: linked('link[rel~="canonical" i]'),
    openGraph: [...document.querySelectorAll<HTMLMetaElement>('meta[property="og:url" i]')]
      .slice(0, MAX_PER_KIND)
      .map(({ content }) => content),
    shortlink: linked('link[rel~="shortlink" i], link[rel="shortlinkUrl"]'),
    loadedFrom: performance.getEntriesByType('navigation')[0]?.name ?? '',
  };
}
