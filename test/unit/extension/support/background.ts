import { createLinkCaller } from '../../../../extension/background/links/call-links.ts';
import { createReadLinks } from '../../../../extension/background/links/read-links.ts';
import { createHandlers } from '../../../../extension/background/message-handlers.ts';
import { createQueue } from '../../../../extension/background/queue/queue.ts';
import { createShorten, type Shorten } from '../../../../extension/background/shorten/shorten.ts';
import type { CalledEndpoint } from '../../../../extension/messaging/endpoint-messages.ts';
import type { Payload, Reply } from '../../../../extension/messaging/protocol.ts';
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
  return <N extends CalledEndpoint>(
    name: N,
    payload: Omit<Payload<N>, 'serverOrigin'>,
  ): Promise<Reply<N>> =>
    newBackground(clientOf)[name]({ serverOrigin, ...payload } as never) as Promise<Reply<N>>;
}
