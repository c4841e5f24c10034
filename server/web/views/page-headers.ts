import type { FastifyReply } from 'fastify';

/** What a page may do beyond the minimum. */
export type PagePolicy = {
  /** Its form may lead to any address with these schemes: Chromium applies `form-action` to redirects, too. */
  formSchemes?: string[];
  /** Its form is for this origin, which must see where it comes from. Without `formSchemes`, it leads nowhere else. */
  hasOwnForm?: boolean;
  /** It runs a tag-manager container: scripts with this nonce, and scripts that those load. */
  nonce?: string;
  /** It has an opaque origin: its scripts cannot access other pages of the short domain. */
  isSandboxed?: boolean;
  /** It shows the API reference, which it loads, with icons that are part of its style sheet. */
  isReference?: boolean;
};

/**
 * The sandbox of a container page. Without `allow-same-origin`, its origin is opaque. Frames that tags
 * open may navigate the page only after a click. Downloads are allowed because a target may be one.
 * Popups stay in the sandbox: an empty popup outside it would share the page's origin and could undo
 * `lockAddress` in preview.js.
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

/** See docs/api.md, "Visit a short link". */
export function setPageHeaders(reply: FastifyReply, policy: PagePolicy = {}): void {
  reply.headers(HEADERS).header('content-security-policy', contentSecurityPolicy(policy));
  // With no-referrer, browsers send "Origin: null" with a form.
  if (policy.hasOwnForm) reply.header('referrer-policy', 'same-origin');
}

function contentSecurityPolicy({
  formSchemes,
  hasOwnForm = false,
  nonce,
  isSandboxed = false,
  isReference = false,
}: PagePolicy): string {
  const loads =
    nonce === undefined
      ? ["script-src 'self'", `img-src 'self'${isReference ? ' data:' : ''}`]
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
    ...(isReference ? ["connect-src 'self'"] : []),
    `form-action ${formSources(formSchemes) ?? (hasOwnForm ? "'self'" : "'none'")}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
    ...(isSandboxed ? [SANDBOX] : []),
  ].join('; ');
}

function formSources(schemes: string[] | undefined): string | undefined {
  return schemes && ["'self'", ...schemes.map((scheme) => `${scheme}:`)].join(' ');
}
