import type { IncomingMessage } from 'node:http';
import { isbot } from 'isbot';
import { FifoMap } from 'toad-cache';

const MAX_REMEMBERED = 2000;
const MAX_REMEMBERED_CHARACTERS = 512;

/**
 * Who visits: `people`, `previews` (a chat or social network that shows where a link goes, a `HEAD`
 * request, a prefetch) or other `bots`.
 *
 * @see docs/api.md, "Visit a short link"
 */
export type VisitClass = 'people' | 'previews' | 'bots';

/**
 * User agents that fetch a link to show a preview of it. Apps that only contain such a name, such as
 * the browsers inside of Facebook or LinkedIn, are used by people.
 *
 * Source: the services' own documentation of their crawlers.
 */
const PREVIEW_FETCHER =
  /Slackbot-LinkExpanding|Slack-ImgProxy|Twitterbot|facebookexternalhit|\bFacebot\b|meta-externalfetcher|^WhatsApp\/|TelegramBot|Discordbot|LinkedInBot|SkypeUriPreview|MicrosoftPreview|redditbot|Pinterestbot|vkShare|^Viber\b|Snap URL Preview|kakaotalk-scrap|Bluesky Cardyb|Mattermost-Bot|Rocket\.Chat|Zulip URL Preview|Synapse \(bot|Iframely|Embedly|^(?:Mastodon|Akkoma|Pleroma|Misskey|Friendica|Lemmy)\b|http\.rb\/[\d.]+ \(Mastodon/i;

/** Cached, because browsers send few different values and isbot's pattern is slow. */
const verdicts = new FifoMap<VisitClass>(MAX_REMEMBERED);

/** Classifies a visit by its headers. A request without a `User-Agent` counts as a person. */
export function classifyVisit({
  method,
  headers,
}: Pick<IncomingMessage, 'method' | 'headers'>): VisitClass {
  const isPreview =
    method === 'HEAD' ||
    isPrefetch(headers['sec-purpose']) ||
    isPrefetch(headers.purpose) ||
    isPrefetch(headers['x-moz']);
  return isPreview ? 'previews' : classOf(headers['user-agent'] ?? '');
}

function isPrefetch(purpose: string | string[] | undefined): boolean {
  return purpose !== undefined && /\bpre(fetch|render|view)\b/i.test(String(purpose));
}

function classOf(userAgent: string): VisitClass {
  const known = verdicts.get(userAgent);
  if (known !== undefined) return known;
  const verdict = classify(userAgent);
  if (userAgent.length <= MAX_REMEMBERED_CHARACTERS) verdicts.set(userAgent, verdict);
  return verdict;
}

function classify(userAgent: string): VisitClass {
  if (PREVIEW_FETCHER.test(userAgent)) return 'previews';
  return isbot(userAgent) ? 'bots' : 'people';
}
