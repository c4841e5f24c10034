import { createLinkCaller } from '../../../../extension/background/links/call-links.ts';
import { createReadLinks } from '../../../../extension/background/links/read-links.ts';
import { createHandlers } from '../../../../extension/background/message-handlers.ts';
import { createQueue } from '../../../../extension/background/queue/queue.ts';
import { createShorten, type Shorten } from '../../../../extension/background/shorten/shorten.ts';
import { callServer } from '../../../../extension/messaging/call-server.ts';
import type { Send } from '../../../../extension/messaging/protocol.ts';
import type { ServerCall } from '../../../../extension/messaging/server-calls.ts';
import type { Client } from '../../../../shared/client.ts';

type ClientOf = (origin: string) => Client;

/** A queue that notifies nobody. */
export const newQueue = (clientOf: ClientOf) =>
  createQueue({ clientOf, onDeferred: async () => {}, onUnsaved: async () => {} });

/** The real background, which calls a server with these clients. */
export function newBackground(clientOf: ClientOf, shorten?: Shorten) {
  const queue = newQueue(clientOf);
  const caller = createLinkCaller(clientOf);
  return createHandlers({
    shorten: shorten ?? createShorten(queue, caller, clientOf),
    queue,
    links: createReadLinks(clientOf),
    caller,
    clientOf,
    isPopupOpen: () => true,
  });
}

/** Calls a server as pages do: by way of the real background. */
export function callInBackground(clientOf: ClientOf, serverOrigin: string) {
  const send = (kind: 'call', payload: ServerCall) => newBackground(clientOf)[kind](payload);
  return callServer(send as unknown as Send, serverOrigin);
}
