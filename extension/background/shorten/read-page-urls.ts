import { browser } from 'wxt/browser';
import { z } from 'zod';
import { ORIGINAL_URL_MAX_CHARACTERS } from '../../../shared/limits.ts';
import { type CanonicalUrls, type PageUrls, selectCanonical } from '../../urls/canonical-url.ts';

/** If the page takes longer, the tab's URL is used. */
const ANSWER_TIMEOUT_MS = 300;

const urlsSchema = z.array(z.string().max(ORIGINAL_URL_MAX_CHARACTERS)).max(4);
const pageUrlsSchema: z.ZodType<PageUrls> = z.object({
  canonical: urlsSchema,
  openGraph: urlsSchema,
  shortlink: urlsSchema,
  loadedFrom: z.string().max(ORIGINAL_URL_MAX_CHARACTERS),
});

/**
 * Reads the canonical URL of a tab's page, after the user invoked the extension on it. Never throws:
 * returns none if the browser forbids scripts, as in its own pages and PDF viewer, or if the page does
 * not respond in time or returns something invalid.
 */
export async function readCanonicalUrl(tabId: number, tabUrl: string): Promise<CanonicalUrls> {
  const timeout = new Promise<undefined>((resolve) =>
    setTimeout(() => resolve(undefined), ANSWER_TIMEOUT_MS),
  );
  const urls = await Promise.race([readInTab(tabId), timeout]);
  const parsed = pageUrlsSchema.safeParse(urls);
  return parsed.success ? selectCanonical(tabUrl, parsed.data) : {};
}

async function readInTab(tabId: number): Promise<unknown> {
  try {
    const [frame] = await browser.scripting.executeScript({ target: { tabId }, func: readHead });
    return frame?.result;
  } catch {
    return undefined;
  }
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
