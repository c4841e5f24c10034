import { browser } from 'wxt/browser';
import { defineBackground } from 'wxt/utils/define-background';
import { createClient } from '../../shared/client.ts';
import { answerMessages, createHandlers } from '../background/answer-messages.ts';
import { listenToAwaited } from '../background/awaited-word.ts';
import { createContextMenu, listenToContextMenu } from '../background/context-menu.ts';
import { welcomeOnInstall } from '../background/first-run.ts';
import { listenToKeyboard } from '../background/keyboard.ts';
import { listenToRetries } from '../background/listen-to-retries.ts';
import { listenToOmnibox } from '../background/omnibox.ts';
import { watchPopups } from '../background/popup-presence.ts';
import { createQueue } from '../background/queue.ts';
import { clearBadge } from '../background/tell.ts';
import { listenToOffers, tellLate } from '../background/tell-late.ts';
import { tellLinkChanges } from '../background/tell-link-changes.ts';
import { tellSettled, tellWishChanges } from '../background/tell-pages.ts';
import { listenToToolbarButton } from '../background/toolbar-button.ts';

export default defineBackground(() => {
  const clientOf = (baseUrl: string) => createClient({ baseUrl });
  const queue = createQueue({
    clientOf,
    async onLate(id, wish, outcome) {
      if (outcome.ok || outcome.code !== 'given_up') tellSettled(id, outcome);
      await tellLate(wish, outcome);
    },
  });
  const { make: makeLink } = queue;

  answerMessages(createHandlers({ queue, clientOf, isPopupOpen: watchPopups() }));
  listenToRetries(queue);
  listenToOffers();
  tellWishChanges();
  tellLinkChanges();
  listenToContextMenu(makeLink);
  listenToToolbarButton(makeLink);
  listenToKeyboard(makeLink);
  listenToOmnibox(makeLink);
  listenToAwaited();
  browser.runtime.onInstalled.addListener(() => void createContextMenu());
  // In the language that the browser has by now.
  browser.runtime.onStartup.addListener(() => void createContextMenu());
  welcomeOnInstall();
  clearBadge();
});
