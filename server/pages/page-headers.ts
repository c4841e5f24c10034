import type { FastifyReply } from 'fastify';

/** What a page is allowed beyond the least. */
export type PagePolicy = {
  /** Its form may end at any web address: Chromium holds the redirects of a POST to the policy. */
  hasForm?: boolean;
  /** It runs a tag-manager container: scripts that carry this nonce, and those that they load. */
  nonce?: string;
};

const HEADERS = {
  'cache-control': 'private, no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
};

/** Source: contract, "Visiting a short link". */
export function setPageHeaders(reply: FastifyReply, policy: PagePolicy = {}): void {
  reply.headers(HEADERS).header('content-security-policy', contentSecurityPolicy(policy));
}

function contentSecurityPolicy({ hasForm = false, nonce }: PagePolicy): string {
  const loads =
    nonce === undefined
      ? ["script-src 'self'", "img-src 'self'"]
      : [
          `script-src 'nonce-${nonce}' 'strict-dynamic'`,
          "img-src 'self' https:",
          'connect-src https:',
          'frame-src https:',
        ];
  return [
    "default-src 'none'",
    "style-src 'self'",
    ...loads,
    `form-action ${hasForm ? "'self' http: https:" : "'none'"}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
