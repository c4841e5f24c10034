import { type ShortenRequest, shortenRequestSchema } from '../../shared/links/shorten-request.ts';
import { parseInput } from '../lib/parse-input.ts';
import type { CreatedLink, Shortener } from '../links/create-link.ts';
import type { KeyCall } from './key-call.ts';

/**
 * Creates a link for somebody with a key, by the rules of `POST /api/shorten`.
 *
 * @param request what is undefined is not sent
 * @throws ServiceError with any code of that endpoint
 */
export function createWithKey(
  { caller, by }: KeyCall,
  request: { [K in keyof ShortenRequest]?: unknown },
  shorten: Shortener,
): Promise<CreatedLink> {
  const given = Object.entries(request).filter(([, value]) => value !== undefined);
  const parsed = parseInput(shortenRequestSchema, Object.fromEntries(given));
  return shorten({ request: parsed, caller, by, idempotencyKey: undefined });
}
