import type { CreatedLink, Result } from './protocol.ts';
import type { Send } from './send.ts';

/** Creates the link of a typed URL, or takes an existing one. */
export async function shortenText(
  send: Send,
  text: string,
  isPrivate: boolean,
): Promise<Result<CreatedLink>> {
  const start = await send('startUrl', { text, isPrivate });
  if (!start.ok) return start;
  return send('createLink', {
    request: { originalUrl: start.data.target.url },
    isPrivate,
    pageTitle: '',
    reuseExisting: true,
    requestId: crypto.randomUUID(),
  });
}
