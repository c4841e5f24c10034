import type { IncomingMessage } from 'node:http';
import { UserAgent } from './user-agent.ts';
import type { VisitClass } from './visit-class.ts';

/** Classifies a visit by its headers. */
export function classifyVisit({
  method,
  headers,
}: Pick<IncomingMessage, 'method' | 'headers'>): VisitClass {
  const isPreview =
    method === 'HEAD' ||
    isPrefetch(headers['sec-purpose']) ||
    isPrefetch(headers.purpose) ||
    isPrefetch(headers['x-purpose']) ||
    isPrefetch(headers['x-moz']);
  return isPreview ? 'previews' : UserAgent.of(headers['user-agent']).visitClass;
}

/** Whether a program that shows previews of links asks. Prefetches are for people, who never see a card. */
export function showsPreview({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return UserAgent.of(headers['user-agent']).visitClass === 'previews';
}

function isPrefetch(purpose: string | string[] | undefined): boolean {
  return purpose !== undefined && /\bpre(fetch|render|view)\b/i.test(String(purpose));
}
