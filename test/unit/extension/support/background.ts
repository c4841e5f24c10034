import { createManageLinks } from '../../../../extension/background/links/manage-links.ts';
import { createReadLinks } from '../../../../extension/background/links/read-links.ts';
import { createHandlers } from '../../../../extension/background/message-handlers.ts';
import { createQueue } from '../../../../extension/background/queue/queue.ts';
import { createShorten, type Shorten } from '../../../../extension/background/shorten/shorten.ts';
import type { Client } from '../../../../shared/client.ts';

type ClientOf = (origin: string) => Client;

/** A queue that notifies nobody. */
export const newQueue = (clientOf: ClientOf) =>
  createQueue({ clientOf, onDeferred: async () => {}, onUnsaved: async () => {} });

/** The real background, which calls a server with these clients. */
export function newBackground(clientOf: ClientOf, shorten?: Shorten) {
  const queue = newQueue(clientOf);
  const manage = createManageLinks(clientOf);
  return createHandlers({
    shorten: shorten ?? createShorten(queue, manage, clientOf),
    queue,
    links: createReadLinks(clientOf),
    manage,
    clientOf,
    isPopupOpen: () => true,
  });
}
