import type { FastifyReply } from 'fastify';
import { errorText, type ShownError } from './error-text.ts';
import { translatorFor } from './page-language.ts';
import { sendPage } from './send-page.ts';

/** Sends a page that explains an error and what to do. Sets the page headers, but not the status. */
export function renderErrorPage(
  reply: FastifyReply,
  error: Omit<ShownError, 'requestId'>,
): Promise<FastifyReply> {
  const { request } = reply;
  return sendPage(reply, 'error', {
    canRetry: false,
    ...errorText({ ...error, requestId: request.id }, translatorFor(request)),
    // The start of a link may be months away.
    refreshSeconds:
      error.code === 'too_early' && error.startsAt === undefined
        ? error.retryAfterSeconds
        : undefined,
  });
}
