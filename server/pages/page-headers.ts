import type { FastifyReply } from 'fastify';

/** What a page is allowed beyond the least. */
export type PagePolicy = {
  /** Its form may end at any web address: Chromium holds the redirects of a POST to the policy. */
  hasForm?: boolean;
  /** It runs a tag-manager container: scripts that carry this nonce, and those that they load. */
  nonce?: string;
  /** It has an opaque origin: its scripts cannot touch other pages of the short domain. */
  isSandboxed?: boolean;
};

/**
 * What a container page may still do. Without `allow-same-origin`, its origin is opaque. Frames that
 * tags open may lead the visitor away after a click only. A target may be a download. Popups stay in
 * the sandbox: an empty one outside would share the page's origin, and undo what `lockAddress` of
 * preview.js does.
 */
const SANDBOX = [
  'sandbox',
  'allow-scripts',
  'allow-popups',
  'allow-top-navigation-by-user-activation',
  'allow-downloads',
].join(' ');

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

function contentSecurityPolicy({
  hasForm = false,
  nonce,
  isSandboxed = false,
}: PagePolicy): string {
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
    ...(isSandboxed ? [SANDBOX] : []),
  ].join('; ');
}
