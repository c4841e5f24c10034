import '../i18n/browser-messages.ts';
import { browser } from 'wxt/browser';
import { defineBackground } from 'wxt/utils/define-background';
import { createClient } from '../../shared/client.ts';
import { createLinkCaller } from '../background/links/call-links.ts';
import { createReadLinks } from '../background/links/read-links.ts';
import { createHandlers, handleMessages } from '../background/message-handlers.ts';
import { listenToConfirmations } from '../background/notify/confirm-secret.ts';
import { clearBadge } from '../background/notify/notify.ts';
import {
  listenToCopyOffers,
  notifyDeferred,
  notifyUnsaved,
} from '../background/notify/notify-deferred.ts';
import { welcomeOnInstall } from '../background/onboarding.ts';
import {
  broadcast,
  broadcastPolicy,
  broadcastQueue,
  watchPopups,
} from '../background/open-pages.ts';
import { createQueue, listenToRetries } from '../background/queue/queue.ts';
import { deleteDraftsOfClosedTabs } from '../background/shorten/form-drafts.ts';
import { createShorten } from '../background/shorten/shorten.ts';
import { createContextMenu, listenToContextMenu } from '../background/triggers/context-menu.ts';
import { listenToOmnibox } from '../background/triggers/omnibox.ts';
import {
  applyPopupSetting,
  listenToKeyboard,
  listenToToolbarButton,
} from '../background/triggers/toolbar-button.ts';

export default defineBackground(() => {
  const clientOf = (baseUrl: string) => createClient({ baseUrl });
  const queue = createQueue({
    clientOf,
    async onDeferred(id, pending, outcome) {
      if (outcome.ok || outcome.code !== 'given_up') {
        broadcast({ kind: 'requestSettled', id, answer: outcome });
      }
      await notifyDeferred(pending, outcome);
    },
    onUnsaved: notifyUnsaved,
  });
  const caller = createLinkCaller(clientOf);
  const shorten = createShorten(queue, caller, clientOf);

  handleMessages(
    createHandlers({
      shorten,
      queue,
      links: createReadLinks(clientOf),
      caller,
      clientOf,
      isPopupOpen: watchPopups(),
    }),
  );
  listenToRetries(queue);
  listenToCopyOffers();
  broadcastQueue();
  broadcastPolicy(applyPopupSetting);
  listenToContextMenu(shorten);
  listenToToolbarButton(shorten);
  listenToKeyboard(shorten);
  listenToOmnibox(shorten);
  listenToConfirmations();
  deleteDraftsOfClosedTabs();
  browser.runtime.onInstalled.addListener(() => void createContextMenu());
  // The browser's language may have changed.
  browser.runtime.onStartup.addListener(() => void createContextMenu());
  welcomeOnInstall();
  clearBadge();
});
