import type { LinkSummary } from '../../../../extension/links/link.ts';

/** A link without any option, as the extension stores it. */
export function aLink(more: Partial<LinkSummary> = {}): LinkSummary {
  return {
    shortUrl: 'https://curt.example/a',
    originalUrl: 'https://example.com/',
    title: '',
    created: '2030-01-01T00:00:00.000Z',
    expiresAt: null,
    hasPassword: false,
    waitTimer: 0,
    ...more,
  };
}
