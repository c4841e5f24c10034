/**
 * What Facebook, Messenger and Instagram write about the app and the device. In it are names that a
 * carrier or a maker has chosen, so a single word says nothing about who asks.
 */
const APP_DETAILS =
  /\[?\bFB[A-Z_]{2,4}\/(?:.*\]|.*$)|\b(?:Instagram|Barcelona|Threads) [\d.]+ (?:Android )?\([^)]*\)?/;
const IOS = /\bFBSN\/i(?:Pad)?OS|\bFBAN\/(?:FBIOS|\w*ForiOS|\w*ForiPad)|\((?:iPhone|iPad)\d/;
const TABLET = /\bFBID\/(?:tablet|pad)|\bFBDV\/iPad|\(iPad\d/i;

type MetaApp = {
  /** The user agent without the details: empty, or that of the browser in the app. */
  browser: string;
  device: { system: 'Android' | 'iOS'; device: 'mobile' | 'tablet' };
};

/**
 * One of Meta's apps, in which people read; undefined if the user agent is of something else. Meta's
 * crawlers have no such details.
 */
export function readMetaApp(text: string): MetaApp | undefined {
  const details = APP_DETAILS.exec(text)?.[0];
  if (details === undefined) return undefined;
  return {
    browser: text.replace(details, () => '').trim(),
    device: {
      system: IOS.test(details) ? 'iOS' : 'Android',
      device: TABLET.test(details) ? 'tablet' : 'mobile',
    },
  };
}
