import type { FastifyReply } from 'fastify';
import type { ErrorCode } from '../../shared/errors.ts';
import { sendPage } from './send-page.ts';

export type ErrorPage = {
  status: number;
  code: ErrorCode;
  /** Shown if the page has no text of its own for the code. */
  message: string;
  retryAfterSeconds?: number | undefined;
};

type PageText = {
  heading: string;
  /** Replaces the error's own message. */
  text?: string;
  /** Whether repeating the request with GET may help. */
  canRetry?: boolean;
};

const TEXTS: Partial<Record<ErrorCode, PageText>> = {
  not_found: {
    heading: 'Link not found',
    text: 'There is no link at this address. Check it for typos, or ask the person who shared it with you.',
  },
  link_blocked: {
    heading: 'This link is blocked',
    text: 'The operator of this server has blocked it, for example because it led to a harmful page.',
  },
  link_gone: {
    heading: 'This link no longer works',
    text: 'It has expired, was used up or was turned off. Ask the person who shared it with you for a new one.',
  },
  body_too_large: {
    heading: 'Too much data',
    text: 'The form contains more data than a password can have. Go back and try again.',
  },
  too_early: { heading: 'Almost there', canRetry: true },
  rate_limited: { heading: 'Too many requests', canRetry: true },
  busy: { heading: 'The server is busy', canRetry: true },
  store_unavailable: { heading: 'Temporarily unavailable', canRetry: true },
  internal: { heading: 'Something went wrong', canRetry: true },
};

const DEFAULT_TEXT: PageText = { heading: 'This request failed' };

/** Sends a page that explains an error and what to do. Sets the page headers, but not the status. */
export function renderErrorPage(reply: FastifyReply, error: ErrorPage): Promise<FastifyReply> {
  const { heading, text = error.message, canRetry = false } = TEXTS[error.code] ?? DEFAULT_TEXT;
  return sendPage(reply, 'error', {
    status: error.status,
    heading,
    text,
    canRetry,
    refreshSeconds: error.code === 'too_early' ? error.retryAfterSeconds : undefined,
  });
}
