import type { FastifyReply } from 'fastify';
import type { ErrorCode } from '../../shared/errors.ts';
import { sendPage } from './send-page.ts';

export type ErrorPage = {
  status: number;
  code: ErrorCode;
  /** For a person; shown where the page has no better words. */
  message: string;
  retryAfterSeconds?: number | undefined;
};

type Words = {
  heading: string;
  /** In place of the error's own message. */
  text?: string;
  /** Whether asking once more, by GET, may help. */
  canRetry?: boolean;
};

const WORDS: Partial<Record<ErrorCode, Words>> = {
  not_found: {
    heading: 'No such link',
    text: 'Nothing is kept under this address. Look for a slip in it, or ask whoever gave it to you.',
  },
  link_gone: {
    heading: 'This link has ended',
    text: 'It worked once, but has expired or was switched off. Ask whoever gave it to you for a new one.',
  },
  body_too_large: {
    heading: 'Too much at once',
    text: 'More was sent than any password can have. Go back and try again.',
  },
  too_early: { heading: 'Almost there', canRetry: true },
  rate_limited: { heading: 'Slow down for a moment', canRetry: true },
  busy: { heading: 'Busy right now', canRetry: true },
  store_unavailable: { heading: 'Not available right now', canRetry: true },
  internal: { heading: 'Something went wrong', canRetry: true },
};

const OTHERWISE: Words = { heading: 'This did not work' };

/** Answers with a page that says what happened and what to do. Sets the page headers, not the status. */
export function renderErrorPage(reply: FastifyReply, error: ErrorPage): Promise<FastifyReply> {
  const { heading, text = error.message, canRetry = false } = WORDS[error.code] ?? OTHERWISE;
  return sendPage(reply, 'error', {
    status: error.status,
    heading,
    text,
    canRetry,
    refreshSeconds: error.code === 'too_early' ? error.retryAfterSeconds : undefined,
  });
}
