import { setTimeout as sleep } from 'node:timers/promises';
import type { Marionette } from './marionette.ts';

/** As the other browser tests wait. */
const WAIT_TIMEOUT_MS = 120_000;
const POLL_MS = 50;

/** Errors of https://www.w3.org/TR/webdriver2/#errors that end by themselves. Nothing was done before them. */
const NOT_READY = /no such element|stale element reference|not interactable|click intercepted/;

/** See https://www.w3.org/TR/webdriver2/#keyboard-actions. */
const KEYS = { Alt: '\uE00A', Shift: '\uE008', Enter: '\uE007', Escape: '\uE00C' };

export type FirefoxPage = {
  /**
   * Runs a function body in the page and returns its result; a promise is awaited.
   * @param script as `return document.title`
   */
  execute<T>(script: string): Promise<T>;
  /**
   * Runs `script` until its result is truthy, and returns that.
   * @throws Error with the page's text, after 30 seconds without success
   */
  waitFor<T>(script: string): Promise<T>;
};

export type FirefoxTab = FirefoxPage & {
  /** Waits for the element, and replaces its text by typing. */
  type(selector: string, text: string): Promise<void>;
  /** Waits for the first button with `name` as its text or label, and clicks it. */
  press(name: string): Promise<void>;
};

export type Firefox = {
  /** Opens `url` in a new active tab. `options.html` and the like are extension pages. */
  openTab(url: string): Promise<FirefoxTab>;
  /** Waits for a tab that the extension opens, and goes to it. */
  findTab(path: string): Promise<FirefoxPage>;
  /** Waits for a tab that the extension opens, and closes it. */
  closeTab(path: string): Promise<void>;
  /**
   * Acts like a click on the toolbar button: the popup opens for the active tab and can read its URL
   * and title.
   */
  clickToolbarButton(): Promise<FirefoxPage>;
  /**
   * Right-clicks an element of the active tab and chooses an entry of the extension in the context
   * menu.
   * @param entry its id, as `shorten-link`
   */
  chooseFromContextMenu(selector: string, entry: string): Promise<void>;
  /** Presses keys in the browser window. @param keys such as `['Alt', 'y']` */
  pressKeys(keys: (keyof typeof KEYS | (string & {}))[]): Promise<void>;
  /** Presses keys in the open popup, after giving it the focus. */
  pressKeysInPopup(keys: (keyof typeof KEYS | (string & {}))[]): Promise<void>;
  /** Waits until the popup is closed. */
  popupIsClosed(): Promise<void>;
  /** Enters a URL in the address bar of the active tab, without waiting for its page. */
  startLoading(url: string): Promise<void>;
  /** Types into the address bar and presses Enter. */
  enterInAddressBar(text: string): Promise<void>;
  /** Stops the background as Firefox does after 30 idle seconds. The next event starts it again. */
  stopBackground(): Promise<void>;
  /** URL of the icon of the tab in front; empty as long as it has none. */
  tabIcon(): Promise<string>;
  /** The text in the browser's clipboard; empty if there is none. */
  readClipboard(): Promise<string>;
  close(): Promise<void>;
};

/** Drives a Firefox with the extension installed, whose pages are at `origin`. */
export async function driveFirefox(
  marionette: Marionette,
  { addonId, origin }: { addonId: string; origin: string },
): Promise<Omit<Firefox, 'close'>> {
  const { send } = marionette;
  const extension = `WebExtensionPolicy.getByID(${JSON.stringify(addonId)}).extension`;
  const frontWindow = `Services.wm.getMostRecentWindow('navigator:browser')`;
  let inFront: string;

  /** Runs in the current page. */
  const execute = async <T>(script: string) =>
    (await send<{ value: T }>('WebDriver:ExecuteScript', { script, args: [] })).value;

  /** Runs in the browser window, with Firefox's own privileges. */
  async function executeInBrowser<T>(script: string): Promise<T> {
    await send('Marionette:SetContext', { value: 'chrome' });
    try {
      return await execute<T>(script);
    } finally {
      await send('Marionette:SetContext', { value: 'content' });
    }
  }

  // An extension page can see the popup's window. It stays inactive: activating it would close the popup.
  const { value: lookout } = await send<{ value: string }>('WebDriver:GetWindowHandle');
  await send('WebDriver:Navigate', { url: `${origin}/manifest.json` });

  async function executeInPopup<T>(script: string): Promise<T> {
    await send('WebDriver:SwitchToWindow', { handle: lookout, focus: false });
    try {
      return await execute<T>(`
        const [popup] = browser.extension.getViews({ type: 'popup' });
        if (!popup) throw new Error('The popup is not open.');
        return (function (document) { ${script} }).call(popup, popup.document);`);
    } finally {
      await send('WebDriver:SwitchToWindow', { handle: inFront, focus: false });
    }
  }

  /** A click on the button while the popup is open would close it. */
  async function closePopup(): Promise<void> {
    await send('WebDriver:SwitchToWindow', { handle: lookout, focus: false });
    const views = `browser.extension.getViews({ type: 'popup' })`;
    await execute(`${views}.forEach((popup) => popup.close())`);
    await waitIn(execute)(`return ${views}.length === 0`);
    await send('WebDriver:SwitchToWindow', { handle: inFront, focus: false });
  }

  async function pressKeys(keys: string[]): Promise<void> {
    const values = keys.map((key) => (KEYS as Record<string, string>)[key] ?? key);
    await send('Marionette:SetContext', { value: 'chrome' });
    try {
      await send('WebDriver:PerformActions', {
        actions: [
          {
            type: 'key',
            id: 'keyboard',
            actions: [
              ...values.map((value) => ({ type: 'keyDown', value })),
              ...values.toReversed().map((value) => ({ type: 'keyUp', value })),
            ],
          },
        ],
      });
    } finally {
      await send('Marionette:SetContext', { value: 'content' });
    }
  }

  /** @returns the tab's handle */
  async function switchToTab(path: string): Promise<string> {
    const end = Date.now() + WAIT_TIMEOUT_MS;
    while (Date.now() < end) {
      for (const handle of await send<string[]>('WebDriver:GetWindowHandles')) {
        try {
          await send('WebDriver:SwitchToWindow', { handle, focus: false });
          const { value: url } = await send<{ value: string }>('WebDriver:GetCurrentURL');
          if (url.replace(/#.*/, '') === `${origin}/${path}`) return handle;
        } catch {
          // The tab may have just got another process.
        }
      }
      await sleep(POLL_MS);
    }
    throw new Error(`No tab has opened at ${path}.`);
  }

  async function find(using: 'css selector' | 'xpath', value: string) {
    const found = await send<{ value: Record<string, string> }>('WebDriver:FindElement', {
      using,
      value,
    });
    return { id: Object.values(found.value)[0] };
  }

  /** Repeats what an element doesn't allow yet, because the page still loads or moves it. */
  async function onceReady(act: () => Promise<void>): Promise<void> {
    const end = Date.now() + WAIT_TIMEOUT_MS;
    for (;;) {
      try {
        return await act();
      } catch (error) {
        if (Date.now() > end || !NOT_READY.test(String(error))) throw error;
      }
      await sleep(POLL_MS);
    }
  }

  return {
    async openTab(url) {
      const { handle } = await send<{ handle: string }>('WebDriver:NewWindow', {
        type: 'tab',
        focus: true,
      });
      inFront = handle;
      await send('WebDriver:SwitchToWindow', { handle, focus: true });
      await send('WebDriver:Navigate', { url: URL.canParse(url) ? url : `${origin}/${url}` });
      return {
        execute,
        waitFor: waitIn(execute),
        type: (selector, text) =>
          onceReady(async () => {
            const { id } = await find('css selector', selector);
            await send('WebDriver:ElementClear', { id });
            await send('WebDriver:ElementSendKeys', { id, text });
          }),
        press: (name) =>
          onceReady(async () => {
            const named = `normalize-space() = '${name}' or @aria-label = '${name}'`;
            await send('WebDriver:ElementClick', await find('xpath', `//button[${named}]`));
          }),
      };
    },
    async findTab(path) {
      inFront = await switchToTab(path);
      return { execute, waitFor: waitIn(execute) };
    },
    async closeTab(path) {
      await switchToTab(path);
      await send('WebDriver:CloseWindow');
      await send('WebDriver:SwitchToWindow', { handle: lookout, focus: false });
    },
    async clickToolbarButton() {
      await closePopup();
      await executeInBrowser(`
        const { ExtensionParent } = ChromeUtils.importESModule(
          'resource://gre/modules/ExtensionParent.sys.mjs');
        const button = ExtensionParent.apiManager.global.browserActionFor(${extension});
        return button.triggerAction(${frontWindow});`);
      return { execute: executeInPopup, waitFor: waitIn(executeInPopup) };
    },
    async chooseFromContextMenu(selector, entry) {
      const { value: element } = await send<{ value: object }>('WebDriver:FindElement', {
        using: 'css selector',
        value: selector,
      });
      await send('WebDriver:PerformActions', {
        actions: [
          {
            type: 'pointer',
            id: 'mouse',
            actions: [
              { type: 'pointerMove', origin: element, x: 0, y: 0 },
              { type: 'pointerDown', button: 2 },
              { type: 'pointerUp', button: 2 },
            ],
          },
        ],
      });
      await executeInBrowser(`
        return (async () => {
          const menu = ${frontWindow}.document.getElementById('contentAreaContextMenu');
          if (menu.state !== 'open') {
            await new Promise((shown) => menu.addEventListener('popupshown', shown, { once: true }));
          }
          const item = menu.querySelector('[id$="-menuitem-_${entry}"]');
          if (!item || item.hidden) throw new Error('The menu has no entry ${entry}.');
          menu.activateItem(item);
        })();`);
    },
    pressKeys,
    async pressKeysInPopup(keys) {
      // As after a click into it.
      await executeInBrowser(
        `${frontWindow}.document.querySelector('.webextension-popup-browser').focus()`,
      );
      await pressKeys(keys);
    },
    async popupIsClosed() {
      await waitIn(executeInBrowser)(
        `return ${frontWindow}.document.querySelector('.webextension-popup-browser') === null`,
      );
    },
    async startLoading(url) {
      await executeInBrowser(`
        const triggeringPrincipal = Services.scriptSecurityManager.getSystemPrincipal();
        ${frontWindow}.gBrowser.selectedBrowser.fixupAndLoadURIString(
          ${JSON.stringify(url)}, { triggeringPrincipal });`);
    },
    async enterInAddressBar(text) {
      await executeInBrowser(`
        const { gURLBar } = ${frontWindow};
        gURLBar.focus();
        gURLBar.search(${JSON.stringify(text)});
        return gURLBar.lastQueryContextPromise.then(() => {});`);
      await pressKeys(['Enter']);
    },
    async stopBackground() {
      // An open page would start it again at once.
      await closePopup();
      // An event of a tab that was just opened may start it again, too.
      await waitIn(executeInBrowser)(`
        return ${extension}.terminateBackground()
          .then(() => ${extension}.backgroundState === 'stopped')`);
    },
    tabIcon: () =>
      executeInBrowser(`return ${frontWindow}.gBrowser.selectedTab.getAttribute('image') ?? ''`),
    readClipboard: () =>
      executeInBrowser<string>(`
        const { kGlobalClipboard } = Services.clipboard;
        if (!Services.clipboard.hasDataMatchingFlavors(['text/plain'], kGlobalClipboard)) return '';
        const transferable = Cc['@mozilla.org/widget/transferable;1']
          .createInstance(Ci.nsITransferable);
        transferable.init(null);
        transferable.addDataFlavor('text/plain');
        Services.clipboard.getData(transferable, kGlobalClipboard);
        const holder = {};
        transferable.getTransferData('text/plain', holder);
        return holder.value.QueryInterface(Ci.nsISupportsString).data;`),
  };
}

/** Also retries scripts that throw, since the page may still be loading. */
function waitIn(execute: FirefoxPage['execute']): FirefoxPage['waitFor'] {
  return async <T>(script: string) => {
    const end = Date.now() + WAIT_TIMEOUT_MS;
    let failure: unknown;
    while (Date.now() < end) {
      try {
        const value = await execute<T>(script);
        if (value) return value;
      } catch (error) {
        failure = error;
      }
      await sleep(POLL_MS);
    }
    const text = await execute<string>('return document.body.innerText').catch(() => 'nothing');
    throw new Error(`Not within ${WAIT_TIMEOUT_MS} ms: ${script}\nThe page says: ${text}`, {
      cause: failure,
    });
  };
}
