import type { Browser } from 'wxt/browser';

type Tab = Pick<Browser.tabs.Tab, 'title' | 'favIconUrl' | 'status'>;

/** Firefox's viewer names the document. */
const OF_PDF_VIEWER = 'chrome://global/skin/icons/pdf.svg';

/**
 * Returns the title of a tab's page. Firefox shows its error pages under the URL of the page that failed; no page
 * of the web can have their icon.
 */
export function titleOf({ title = '', favIconUrl = '' }: Tab): string {
  const isOfBrowser = favIconUrl.startsWith('chrome:') && favIconUrl !== OF_PDF_VIEWER;
  return isOfBrowser ? '' : title;
}

export function isLoading({ status }: Tab): boolean {
  return status === 'loading';
}
