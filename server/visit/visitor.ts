import type { IncomingMessage } from 'node:http';
import { isbot } from 'isbot';

const MAX_REMEMBERED = 2000;
const MAX_REMEMBERED_CHARACTERS = 512;

/** Cached, because browsers send few different values and isbot's pattern is slow. */
const verdicts = new Map<string, boolean>();

/**
 * Whether a request counts as a visit: not a HEAD request, a prefetch or a known bot. A request without
 * a `User-Agent` counts.
 */
export function isVisitor({
  method,
  headers,
}: Pick<IncomingMessage, 'method' | 'headers'>): boolean {
  return (
    method !== 'HEAD' &&
    !isPrefetch(headers['sec-purpose']) &&
    !isPrefetch(headers.purpose) &&
    !isPrefetch(headers['x-moz']) &&
    !isBot(headers['user-agent'] ?? '')
  );
}

function isPrefetch(purpose: string | string[] | undefined): boolean {
  return purpose !== undefined && /\bpre(fetch|render|view)\b/i.test(String(purpose));
}

function isBot(userAgent: string): boolean {
  const known = verdicts.get(userAgent);
  if (known !== undefined) return known;
  const verdict = isbot(userAgent);
  if (userAgent.length <= MAX_REMEMBERED_CHARACTERS) {
    if (verdicts.size >= MAX_REMEMBERED) verdicts.clear();
    verdicts.set(userAgent, verdict);
  }
  return verdict;
}
