import { render } from 'preact';
import { browser } from 'wxt/browser';
import { t, translateDocument } from '../../../shared/i18n/translate.ts';
import { copyFromPage } from '../../../shared/ui/copy-text.js';
import { ErrorBoundary } from '../../../shared/ui/FailureNote.tsx';
import { keepTranslatedTexts } from '../../../shared/ui/keep-translated-texts.ts';
import { showDirectionMarks } from '../../../shared/ui/show-direction-marks.ts';
import type { Reply } from '../../messaging/protocol.ts';
import { send } from '../../messaging/send.ts';
import { openLinksPage, qrPageOf, WELCOME_PAGE } from '../../urls/extension-pages.ts';
import { LinkForm } from './lazy-parts.ts';
import { Popup } from './Popup.tsx';
import type { TabPage } from './state/popup-model.ts';
import { createPopupState, type PopupState } from './state/popup-state.ts';
import { whenLoaded } from './tab-page.ts';

type Opening = {
  /** Names the popup's port to the background. */
  popupId: string;
  page: Promise<TabPage>;
  /** What the background decides for the page. */
  start: Promise<Reply<'startPopup'>>;
  isForOptions: boolean;
  /** Whether a notification opened the popup, to confirm a URL. */
  isAboutConfirmation: boolean;
};

/** Replaces the static frame by the popup. Resolves when it has handled the background's response. */
export async function openPopup(opening: Opening): Promise<void> {
  const { popupId, page, start, isForOptions } = opening;
  translateDocument('popup_title');
  // The link is shown while the popup waits for the focus.
  const copy = (text: string) => copyFromPage(text, 10_000);
  const state = createPopupState(page, { popupId, send, copy, whenLoaded }, { isForOptions });
  const started = state.start(start);
  // Wait only for the form if the popup was opened for it. Everything else renders at once.
  if (isForOptions) await LinkForm.preload();
  const app = document.getElementById('app') as HTMLElement;
  keepTranslatedTexts(document.body);
  app.replaceChildren();
  showDirectionMarks();
  render(
    <ErrorBoundary kept={() => <KeptLink state={state} />}>
      <Popup
        state={state}
        onOpenLink={(url) => openTab(url, opening)}
        // In Firefox, any window that comes to the front closes the popup: also one to choose a color.
        {...(import.meta.env.FIREFOX && { onCustomizeQr: openQrPage })}
        onOpenLinks={openLinks}
        onOpenSettings={openSettings}
        onSetUp={openWelcomePage}
        onClose={() => window.close()}
      />
    </ErrorBoundary>,
    app,
  );
  await Promise.all([started, state.watchQueue()]);
  requestIdleCallback(() => void LinkForm.preload());
}

async function openTab(url: string, { page, isAboutConfirmation }: Opening): Promise<void> {
  // A notification opens a normal window, even for a page in a private one.
  if (isAboutConfirmation && (await page).isPrivate) await openPrivately(url);
  else await browser.tabs.create({ url });
  window.close();
}

/** Falls back to a tab: without access to private windows, the page came from a normal one. */
async function openPrivately(url: string): Promise<void> {
  try {
    await browser.windows.create({ url, incognito: true });
  } catch {
    await browser.tabs.create({ url });
  }
}

async function openQrPage(shortUrl: string): Promise<void> {
  await browser.tabs.create({ url: qrPageOf(shortUrl) });
  window.close();
}

async function openLinks(): Promise<void> {
  await openLinksPage();
  window.close();
}

async function openSettings(): Promise<void> {
  await browser.runtime.openOptionsPage();
  window.close();
}

async function openWelcomePage(): Promise<void> {
  await browser.tabs.create({ url: browser.runtime.getURL(WELCOME_PAGE) });
  window.close();
}

/** The link of a popup that fails to render. */
function KeptLink({ state }: { state: PopupState }) {
  const view = state.view.value;
  if (view.name !== 'link') return null;
  return (
    <>
      <p class="link">
        <output class="short-url" dir="ltr">
          {view.link.shortUrl.replace(/^https?:\/\//, '')}
        </output>
      </p>
      <div class="actions">
        <button type="button" class="button" onClick={state.copyAgain}>
          {t('copy')}
        </button>
      </div>
    </>
  );
}
