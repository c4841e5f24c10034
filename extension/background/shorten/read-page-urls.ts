import { browser } from 'wxt/browser';
import { z } from 'zod';
import { ORIGINAL_URL_MAX_CHARACTERS } from '../../../shared/limits.ts';
import { type CanonicalUrls, type PageUrls, select } from '../../address/canonical-url.ts';

/** A page that is busy for longer is shortened by the tab's address. */
const ANSWER_TIMEOUT_MS = 300;

const urlsSchema = z.array(z.string().max(ORIGINAL_URL_MAX_CHARACTERS)).max(4);
const pageUrlsSchema: z.ZodType<PageUrls> = z.object({
  canonical: urlsSchema,
  openGraph: urlsSchema,
  shortlink: urlsSchema,
  loadedFrom: z.string().max(ORIGINAL_URL_MAX_CHARACTERS),
});

/**
 * Asks the page in a tab on which a person has just called the extension for its own address.
 * Never fails: where the browser lets nobody in, as in its own pages and PDF viewers, and where
 * the answer is late or unfit, there is none.
 */
export async function readCanonicalUrl(tabId: number, tabUrl: string): Promise<CanonicalUrls> {
  const late = new Promise<undefined>((resolve) =>
    setTimeout(() => resolve(undefined), ANSWER_TIMEOUT_MS),
  );
  const said = await Promise.race([ask(tabId), late]);
  const parsed = pageUrlsSchema.safeParse(said);
  return parsed.success ? select(tabUrl, parsed.data) : {};
}

async function ask(tabId: number): Promise<unknown> {
  try {
    const [frame] = await browser.scripting.executeScript({ target: { tabId }, func: readHead });
    return frame?.result;
  } catch {
    return undefined;
  }
}

/** Runs in the page, beside its own scripts: it can use nothing that stands outside of it. */
function readHead(): PageUrls {
  const MOST = 4;
  const linked = (selector: string) =>
    [...document.querySelectorAll<HTMLLinkElement>(selector)]
      .slice(0, MOST)
      .map(({ href }) => href);
  return {
    canonical: linked('link[rel~="canonical" i]'),
    openGraph: [...document.querySelectorAll<HTMLMetaElement>('meta[property="og:url" i]')]
      .slice(0, MOST)
      .map(({ content }) => content),
    shortlink: linked('link[rel~="shortlink" i], link[rel="shortlinkUrl"]'),
    loadedFrom: performance.getEntriesByType('navigation')[0]?.name ?? '',
  };
}
