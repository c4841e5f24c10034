import { browser } from 'wxt/browser';
import { defineBackground } from 'wxt/utils/define-background';
import { createClient } from '../../shared/client.ts';
import { answerMessages, createHandlers } from '../background/message-handlers.ts';
import { broadcastLinks } from '../background/notify/broadcast-links.ts';
import { broadcastQueue, broadcastSettled } from '../background/notify/broadcast-queue.ts';
import { listenToConfirmations } from '../background/notify/confirm-secret.ts';
import { clearBadge } from '../background/notify/notify.ts';
import { listenToOffers, notifyLate } from '../background/notify/notify-late.ts';
import { welcomeOnInstall } from '../background/onboarding.ts';
import { watchPopups } from '../background/open-popups.ts';
import { createQueue } from '../background/queue/queue.ts';
import { listenToRetries } from '../background/queue/retry-triggers.ts';
import { createContextMenu, listenToContextMenu } from '../background/triggers/context-menu.ts';
import { listenToKeyboard } from '../background/triggers/keyboard.ts';
import { listenToOmnibox } from '../background/triggers/omnibox.ts';
import { listenToToolbarButton } from '../background/triggers/toolbar-button.ts';

export default defineBackground(() => {
  const clientOf = (baseUrl: string) => createClient({ baseUrl });
  const queue = createQueue({
    clientOf,
    async onLate(id, pending, outcome) {
      if (outcome.ok || outcome.code !== 'given_up') broadcastSettled(id, outcome);
      await notifyLate(pending, outcome);
    },
  });
  const { make: makeLink } = queue;

  answerMessages(createHandlers({ queue, clientOf, isPopupOpen: watchPopups() }));
  listenToRetries(queue);
  listenToOffers();
  broadcastQueue();
  broadcastLinks();
  listenToContextMenu(makeLink);
  listenToToolbarButton(makeLink);
  listenToKeyboard(makeLink);
  listenToOmnibox(makeLink);
  listenToConfirmations();
  browser.runtime.onInstalled.addListener(() => void createContextMenu());
  // In the language that the browser has by now.
  browser.runtime.onStartup.addListener(() => void createContextMenu());
  welcomeOnInstall();
  clearBadge();
});
