import { cp, readFile, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type CDPSession, Connection } from 'puppeteer-core';
import type { browser } from 'wxt/browser';
import { attachTo, detachFrom, runIn } from '../../e2e/support/browser/attach.ts';
import { launchChromiumWithExtension } from '../../e2e/support/browser/chromium.ts';
import { startServer } from '../../e2e/support/servers/server.ts';
import { startSite } from '../../e2e/support/servers/site.ts';
import { buildExtensions } from '../../e2e/support/setup/build-extension.ts';
import { findOrInstallBrowser } from '../../e2e/support/setup/find-browser.ts';

/** Available in the extension's worker, where the functions for `evaluate` run. */
declare const chrome: typeof browser;

/** Openings that are not measured: the first one creates the account and fills caches. */
const WARM_UPS = 2;
/** Delay before a popup that copies nothing is inspected, because inspecting it while it loads slows it down. */
const UNWATCHED_MS = 600;
/** When a popup counts as one that copies nothing. */
const COPY_LIMIT_MS = 20_000;
const POLL_MS = 20;
/** Round trip to a server that is far away, without those that open a connection. */
const DISTANCE_MS = 50;
/** A minimal popup. */
const BARE_POPUP = '<!doctype html><title>Curt</title><p>Curt</p>';
/** What a popup requests from the site once it has copied. */
const COPIED_PATH = '/copied';
/** Added to the popup: records when it reports that the link was copied, and tells the site. */
const noteCopied = (site: string) => `
  new MutationObserver((_, observer) => {
    if (document.querySelector('[role=status] p')?.textContent !== 'Short link copied') return;
    performance.mark('copied');
    observer.disconnect();
    fetch('${site}${COPIED_PATH}', { mode: 'no-cors' });
  }).observe(document.documentElement, { childList: true, subtree: true, characterData: true });
`;

/** Milliseconds for each opening. */
export type PopupTimes = {
  /** From the popup's opening to its first content. */
  firstContent: number[];
  /** From the click on the button to the short link in the clipboard, with the background's worker running. */
  copied: number[];
  /** The same with the worker stopped, as Chromium does after 30 idle seconds: the usual click. */
  copiedStopped: number[];
  /** The same with the worker running, and a server that is 50 ms away. */
  copiedDistant: number[];
  /** From the opening of a minimal popup to its first content. */
  bareFirstContent: number[];
  /** From the click on the button to the first content of a minimal popup. */
  bareShown: number[];
};

/** Timestamps that a popup has recorded, in milliseconds of the machine's clock. */
type Noted = { openedAtMs: number; shownAtMs: number; copiedAtMs: number | undefined };

type Conditions = {
  /** @default the local one */
  serverOrigin?: string;
  /** Whether the popup is to be inspected once it has copied. @default true */
  copies?: boolean;
  /** Stops the background's worker before each click. @default false */
  stopsWorker?: boolean;
};

/** Opens the popup in a real Chromium on one page after the other, with a local server. */
export async function timePopup(openings: number): Promise<PopupTimes> {
  const executablePath = await findOrInstallBrowser('chromium');
  const extensions = await buildExtensions();
  const [server, site] = await Promise.all([startServer(), startSite()]);
  const distant = await startDistantProxy(server.baseUrl, DISTANCE_MS);
  const times: PopupTimes = {
    firstContent: [],
    copied: [],
    copiedStopped: [],
    copiedDistant: [],
    bareFirstContent: [],
    bareShown: [],
  };

  async function variant(name: string, popup: (html: string) => string): Promise<string> {
    const folder = join(dirname(extensions.chrome), name);
    await cp(extensions.chrome, folder, { recursive: true });
    const page = join(folder, 'popup.html');
    await writeFile(page, popup(await readFile(page, 'utf8')));
    await writeFile(join(folder, 'note-copied.js'), noteCopied(site.origin));
    return folder;
  }

  /** @param asked the number of requests to the site before the click */
  async function untilCopied(asked: number): Promise<void> {
    const limitMs = performance.now() + COPY_LIMIT_MS;
    while (!site.asked.slice(asked).includes(COPIED_PATH)) {
      if (performance.now() > limitMs) throw new Error('A popup has copied nothing.');
      await setTimeout(POLL_MS);
    }
  }

  async function open(
    folder: string,
    note: (noted: Noted, clickedAtMs: number) => void,
    { serverOrigin = server.baseUrl, copies = true, stopsWorker = false }: Conditions = {},
  ): Promise<void> {
    const chromium = await launchChromiumWithExtension(folder, { executablePath });
    try {
      await chromium.worker.evaluate(
        (origin) => chrome.storage.local.set({ settings: { serverOrigin: origin } }),
        serverOrigin,
      );
      const page = await chromium.openPage(site.origin);
      const extension = (await chromium.browser.extensions()).get(chromium.extensionId);
      if (!extension) throw new Error(`${folder} is not loaded.`);
      const root = await chromium.browser.target().createCDPSession();
      await leaveAlone(root);
      const tab = await attachTo(
        root,
        await findTarget(root, (url) => url.startsWith(site.origin)),
      );
      await tab.send('Page.enable');
      for (let opening = 0; opening < WARM_UPS + openings; opening++) {
        await Promise.all([
          new Promise((resolve) => tab.once('Page.loadEventFired', resolve)),
          tab.send('Page.navigate', { url: `${site.origin}/page-${opening}` }),
        ]);
        await setTimeout(UNWATCHED_MS);
        if (stopsWorker) await chromium.worker.stop();
        const clickedAtMs = performance.timeOrigin + performance.now();
        const asked = site.asked.length;
        await page.triggerExtensionAction(extension);
        if (copies) await untilCopied(asked);
        else await setTimeout(UNWATCHED_MS);
        const noted = await closePopup(root);
        if (opening >= WARM_UPS) note(noted, clickedAtMs);
      }
    } finally {
      await chromium.close();
    }
  }

  try {
    await open(
      await variant('bare', () => BARE_POPUP),
      ({ openedAtMs, shownAtMs }, clickedAtMs) => {
        times.bareFirstContent.push(shownAtMs - openedAtMs);
        times.bareShown.push(shownAtMs - clickedAtMs);
      },
      { copies: false },
    );
    const noting = '<script async src="/note-copied.js"></script></body>';
    const folder = await variant('noted', (html) => html.replace('</body>', noting));
    await open(folder, (noted, clickedAtMs) => {
      times.firstContent.push(noted.shownAtMs - noted.openedAtMs);
      times.copied.push(copiedAfterMs(noted, clickedAtMs));
    });
    await open(
      folder,
      (noted, clickedAtMs) => times.copiedStopped.push(copiedAfterMs(noted, clickedAtMs)),
      { stopsWorker: true },
    );
    await open(
      folder,
      (noted, clickedAtMs) => times.copiedDistant.push(copiedAfterMs(noted, clickedAtMs)),
      { serverOrigin: distant.origin },
    );
  } finally {
    await distant.stop();
    await Promise.all([server.stop(), site.stop(), extensions.remove()]);
  }
  return times;
}

function copiedAfterMs({ copiedAtMs }: Noted, clickedAtMs: number): number {
  if (!copiedAtMs) throw new Error('A popup has copied nothing.');
  return copiedAtMs - clickedAtMs;
}

/** Passes on every byte after half a round trip, in both directions. */
async function startDistantProxy(server: string, roundTripMs: number) {
  const { hostname, port } = new URL(server);
  const sockets = new Set<Socket>();

  function passOn(from: Socket, to: Socket): void {
    sockets.add(from);
    from.setNoDelay(true);
    const later = (run: () => void) => void setTimeout(roundTripMs / 2).then(run);
    from.on('data', (bytes) => later(() => to.destroyed || to.write(bytes)));
    from.on('end', () => later(() => to.end()));
    from.on('error', () => to.destroy());
    from.on('close', () => sockets.delete(from));
  }

  const proxy = createServer({ allowHalfOpen: true }, (client) => {
    const upstream = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    passOn(client, upstream);
    passOn(upstream, client);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://localhost:${(proxy.address() as AddressInfo).port}`,
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}

/** Otherwise the driver pauses each new target to inspect it, unlike the browser of a user. */
async function leaveAlone(root: CDPSession): Promise<void> {
  await Connection.fromSession(root)?.send('Target.setAutoAttach', {
    autoAttach: false,
    waitForDebuggerOnStart: false,
    flatten: true,
  });
}

async function findTarget(root: CDPSession, is: (url: string) => boolean): Promise<string> {
  const { targetInfos } = await root.send('Target.getTargets');
  const found = targetInfos.find(({ url }) => is(url));
  if (!found) throw new Error('What was opened is not there.');
  return found.targetId;
}

/** @returns its timestamps */
async function closePopup(root: CDPSession): Promise<Noted> {
  const targetId = await findTarget(root, (url) => url.endsWith('/popup.html'));
  const session = await attachTo(root, targetId);
  const noted = await runIn(session, () => {
    const at = (name: string) => {
      const entry = performance.getEntriesByName(name)[0];
      return entry && performance.timeOrigin + entry.startTime;
    };
    return {
      openedAtMs: performance.timeOrigin,
      shownAtMs: at('first-contentful-paint') ?? Number.NaN,
      copiedAtMs: at('copied'),
    };
  });
  await detachFrom(root, session);
  await root.send('Target.closeTarget', { targetId });
  return noted;
}
