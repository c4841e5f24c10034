import { browser } from 'wxt/browser';
import { defineBackground } from 'wxt/utils/define-background';
import { createClient } from '../../shared/client.ts';
import { answerMessages, createHandlers } from '../background/answer-messages.ts';
import { listenToAwaited } from '../background/awaited-word.ts';
import { createContextMenu, listenToContextMenu } from '../background/context-menu.ts';
import { welcomeOnInstall } from '../background/first-run.ts';
import { listenToKeyboard } from '../background/keyboard.ts';
import { createLinkMaker } from '../background/link-maker.ts';
import { listenToOmnibox } from '../background/omnibox.ts';
import { watchPopups } from '../background/popup-presence.ts';
import { clearBadge } from '../background/tell.ts';
import { tellLinkChanges } from '../background/tell-link-changes.ts';
import { listenToToolbarButton } from '../background/toolbar-button.ts';

export default defineBackground(() => {
  const clientOf = (baseUrl: string) => createClient({ baseUrl });
  const makeLink = createLinkMaker({ clientOf });

  answerMessages(createHandlers({ makeLink, clientOf, isPopupOpen: watchPopups() }));
  tellLinkChanges();
  listenToContextMenu(makeLink);
  listenToToolbarButton(makeLink);
  listenToKeyboard(makeLink);
  listenToOmnibox(makeLink);
  listenToAwaited();
  browser.runtime.onInstalled.addListener(() => void createContextMenu());
  welcomeOnInstall();
  clearBadge();
});
