import { browser } from 'wxt/browser';
import type { Handlers, MessageKind, Payload, Reply } from '../messaging/protocol.ts';
import { toFailure } from '../storage/stored-area.ts';
import { OPTIONS_PAGE } from '../urls/extension-pages.ts';
import { type LinkMessageOptions, linkMessages } from './messages/link-messages.ts';
import { type SettingsMessageOptions, settingsMessages } from './messages/settings-messages.ts';
import { type ShortenMessageOptions, shortenMessages } from './messages/shorten-messages.ts';

export type HandlerOptions = ShortenMessageOptions & LinkMessageOptions & SettingsMessageOptions;

export function createHandlers(options: HandlerOptions): Handlers {
  return { ...shortenMessages(options), ...linkMessages(options), ...settingsMessages(options) };
}

/**
 * Answers the extension's own pages. Their code has the same types, so that payloads are not parsed again. Call
 * synchronously at startup: a listener added later misses the message that woke the worker.
 */
export function handleMessages(handlers: Handlers): void {
  browser.runtime.onMessage.addListener(
    (message: { kind?: unknown; payload?: unknown } | undefined, sender) => {
      const kind = message?.kind as MessageKind;
      // Leave messages for others, such as the offscreen document, unhandled.
      if (!Object.hasOwn(handlers, kind) || !maySend(kind, sender.url)) return undefined;
      return answer(handlers, kind, message?.payload as Payload<MessageKind>);
    },
  );
}

/** Only the extension's own pages, of which the settings alone get to see a sign-in key. */
function maySend(kind: MessageKind, senderUrl = ''): boolean {
  const [page] = senderUrl.split(/[?#]/);
  if (kind === 'revealToken') return page === browser.runtime.getURL(OPTIONS_PAGE);
  return senderUrl.startsWith(browser.runtime.getURL('/'));
}

async function answer<K extends MessageKind>(
  handlers: Handlers,
  kind: K,
  payload: Payload<K>,
): Promise<Reply<K>> {
  try {
    return await handlers[kind](payload);
  } catch (error) {
    return toFailure(error) as Reply<K>;
  }
}
