import Bowser from 'bowser';
import { isbot } from 'isbot';
import { FifoMap } from 'toad-cache';
import { OTHER, tallyKey } from '../store/visits.ts';
import { newKeyedHash } from './visitor-hash.ts';

/**
 * Who visits: `people`, `previews` (a chat or social network that shows where a link goes, a `HEAD`
 * request, a prefetch) or other `bots`.
 *
 * @see docs/api.md, "Visit a short link"
 */
export type VisitClass = 'people' | 'previews' | 'bots';

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
 * Returns one of Meta's apps, in which people read; undefined if the user agent is of something else. Meta's
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

/** Browsers send few different values. About 500 bytes each. */
const MAX_REMEMBERED = 2000;
/** Longer ones are made up. */
const MAX_CHARACTERS = 512;
const UNKNOWN = 'unknown';

/**
 * Devices with HarmonyOS, as its browsers name them. The library takes all for phones.
 *
 * @see https://developer.huawei.com/consumer/en/doc/harmonyos-guides/web-default-useragent
 */
const HARMONY_DEVICE = /\((Phone|Tablet|PC|2in1); (?:Open)?Harmony(?:OS)?\b/;
const HARMONY_DEVICES = new Map<string | undefined, Families['device']>([
  ['Phone', 'mobile'],
  ['Tablet', 'tablet'],
  ['PC', 'desktop'],
  ['2in1', 'desktop'],
]);

/** Word, Excel and PowerPoint on Windows. */
export const OFFICE = /\bms-office\b|\bMSOffice\b|^Microsoft Office\b/i;

/**
 * User agents that fetch a link to show a preview of it. Apps that only contain such a name, such as
 * the browsers inside of Facebook or LinkedIn, are used by people.
 *
 * Source: the services' own documentation of their crawlers.
 */
const PREVIEW_FETCHERS = [
  // Facebook, Messenger, Instagram, Threads, WhatsApp
  /facebookexternalhit|\bFacebot\b|meta-external(?:fetcher|hit)|^WhatsApp\b/i,
  // Chats and mail
  /Slackbot-LinkExpanding|Slack-ImgProxy|TelegramBot|Discordbot|SkypeUriPreview|MicrosoftPreview/i,
  /^Viber\b|kakaotalk-scrap|GroupMeBot|KeybaseBot|GG PeekBot|DingTalkBot|SteamChatURLLookup/i,
  /Mattermost-Bot|Rocket\.Chat|Synapse \(bot/i,
  // Networks, forums and notes
  /Twitterbot|LinkedInBot|redditbot|Pinterestbot|pinterest\.com\/bot|^Tumblr\/|vkShare|VKRobot|OdklBot/i,
  /^Bluesky(?:\/|PreviewBot)|Bluesky Cardyb|Xing Bot|Quora-Bot|CodaBot|^Notion\//i,
  /Mediumbot-MetaTagFetcher|Discourse Forum Onebox/i,
  /^(?:Mastodon|Akkoma|Pleroma|Misskey|Friendica|Lemmy)\b|http\.rb\/[\d.]+ \(Mastodon/i,
  OFFICE,
  // Services that make previews for others, and names that say so
  /Iframely|Embedly|SummalyBot|OpenGraph\.io|LoomlyBot|Everyonesocialbot|EvernoteRichLinkBot/i,
  /Link ?Preview|URL ?Preview|Unfurl/i,
];
/**
 * Discord fetches what it shows in a preview as one of these browsers, the same for years. Few people
 * still use them.
 *
 * @see https://github.com/discord/discord-api-docs/issues/1600
 */
const PREVIEW_BROWSERS = new Set([
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.10; rv:38.0) Gecko/20100101 Firefox/38.0',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 11.6; rv:92.0) Gecko/20100101 Firefox/92.0',
]);
const PREVIEW_FETCHER = new RegExp(PREVIEW_FETCHERS.map(({ source }) => source).join('|'), 'i');

/** Programs that `isbot` takes for browsers. */
const OTHER_BOTS =
  /\(KHTML, like Gecko\) (?:Code|Trae|Fluid)\/\d|\bMiniature\.io\/|\bTSM-turingos\b|\bGTmetrix$|\bYLT Chrome\//;

const BROWSERS = new Set(Object.values(Bowser.BROWSER_MAP));
const SYSTEMS = new Set(Object.values(Bowser.OS_MAP));
const DEVICES = ['desktop', 'mobile', 'tablet'] as const;
/** Its devices are laptops, which the library does not classify. */
const CHROME_OS = 'Chrome OS';

/** Families without versions. `unknown` if nothing was sent, `other` if it is not known. */
export type Families = {
  browser: string;
  system: string;
  device: 'desktop' | 'mobile' | 'tablet' | typeof OTHER;
};

const remembered = new FifoMap<UserAgent>(MAX_REMEMBERED);
const hash = newKeyedHash();
/** Looked up again for the same visit, and often for the next one: comparing a text is faster than hashing it. */
let latest: { text: string; userAgent: UserAgent } | undefined;

/** The value of `User-Agent`, and what follows from it. The latest are remembered. */
export class UserAgent {
  /** Class of a visit by `GET` that is no prefetch. */
  readonly visitClass: VisitClass;
  /** Stands for the whole text in this process. 32 bits. */
  readonly hash: number;
  readonly families: Families;
  /** The families as keys of `Tallies`. */
  readonly tallyKeys: readonly string[];

  private constructor(text: string) {
    this.visitClass = classify(text.slice(0, MAX_CHARACTERS));
    this.hash = hash(text);
    this.families = parse(text);
    const { browser, system, device } = this.families;
    this.tallyKeys = [
      tallyKey('browsers', browser),
      tallyKey('systems', system),
      tallyKey('devices', device),
    ];
  }

  /** Looks it up, because parsing is slow. @default the empty text */
  static of(text = ''): UserAgent {
    if (latest?.text === text) return latest.userAgent;
    let userAgent = remembered.get(text);
    if (userAgent === undefined) {
      userAgent = new UserAgent(text);
      if (text.length > MAX_CHARACTERS) return userAgent;
      remembered.set(text, userAgent);
    }
    latest = { text, userAgent };
    return userAgent;
  }
}

function classify(text: string): VisitClass {
  const browser = readMetaApp(text)?.browser ?? text;
  // Every browser sends a user agent.
  if (text.trim() === '') return 'bots';
  if (PREVIEW_BROWSERS.has(browser) || PREVIEW_FETCHER.test(browser)) return 'previews';
  return browser !== '' && (isbot(browser) || OTHER_BOTS.test(browser)) ? 'bots' : 'people';
}

function parse(text: string): Families {
  if (text === '') return { browser: UNKNOWN, system: UNKNOWN, device: OTHER };
  if (text.length > MAX_CHARACTERS) return { browser: OTHER, system: OTHER, device: OTHER };
  const app = readMetaApp(text);
  // Some of these apps don't send the user agent of the browser in them.
  if (app && !app.browser.startsWith('Mozilla/')) return { browser: OTHER, ...app.device };
  const { browser, os, platform } = Bowser.parse(text);
  const harmonyDevice = HARMONY_DEVICES.get(HARMONY_DEVICE.exec(text)?.[1]);
  const system = known(harmonyDevice ? 'HarmonyOS' : os.name, SYSTEMS);
  const device = harmonyDevice ?? DEVICES.find((name) => name === platform.type);
  return {
    browser: known(browser.name, BROWSERS),
    system,
    device: device ?? (system === CHROME_OS ? 'desktop' : OTHER),
  };
}

/** For some user agents the library returns a part of the text, which must not be stored. */
function known(name: string | undefined, names: Set<string>): string {
  return name !== undefined && names.has(name) ? name : OTHER;
}
