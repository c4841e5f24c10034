export const CONTAINER_ID = 'GTM-CURT123';
export const CONTAINER_URL = `https://www.googletagmanager.com/gtm.js?id=${CONTAINER_ID}`;

/** The response to a request for a script. */
export function script(body: string) {
  return { contentType: 'text/javascript', body };
}

/** Acts like a container as far as the page can see: runs its tags, then reports that it is done. */
export function container(...tags: string[]) {
  return script(`
    for (const src of ${JSON.stringify(tags)}) {
      document.head.append(Object.assign(document.createElement('script'), { src, async: true }));
    }
    const handle = (entry) => entry.eventCallback?.(${JSON.stringify(CONTAINER_ID)});
    dataLayer.forEach(handle);
    dataLayer.push = function (...entries) {
      entries.forEach(handle);
      return Array.prototype.push.apply(this, entries);
    };`);
}

/**
 * A container that tries to access other content of the short domain, and reports the results on the
 * page as `data-report`.
 *
 * @param otherUrl of another link's page
 */
export function hostileContainer(otherUrl: string) {
  return script(`(${tryEverything})(${JSON.stringify(otherUrl)})`);
}

async function tryEverything(otherUrl: string): Promise<void> {
  const report: Record<string, string> = { origin: self.origin };
  const attempt = async (name: string, act: () => unknown) => {
    try {
      await act();
      report[name] = 'allowed';
    } catch (error) {
      report[name] = (error as Error).name;
    }
  };
  await attempt('cookie', () => document.cookie);
  await attempt('localStorage', () => localStorage.setItem('key', 'value'));
  await attempt('indexedDB', () => indexedDB.open('database'));
  await attempt('serviceWorker', () => navigator.serviceWorker.register('/assets/preview.js'));
  const ownUrl = location.href;
  type Realm = Pick<typeof globalThis, 'History'>;
  const showOtherAddress = ({ History }: Realm) => {
    History.prototype.replaceState.call(history, null, '', otherUrl);
    History.prototype.replaceState.call(history, null, '', ownUrl);
  };
  await attempt('replaceState', () => showOtherAddress(globalThis));
  await attempt('pushState', () => {
    history.pushState(null, '', otherUrl);
    history.replaceState(null, '', ownUrl);
  });
  // A script that handles the navigate event can keep the page and still show another URL.
  await attempt('navigateEvent', async () => {
    let isFired = false;
    navigation.addEventListener('navigate', () => {
      isFired = true;
    });
    location.hash = 'other';
    await new Promise((resolve) => setTimeout(resolve, 100));
    if (!isFired) throw new DOMException('', 'NotSupportedError');
  });
  await attempt('otherRealm', () => {
    const frame = document.createElement('iframe');
    document.body.append(frame);
    const blank = open('about:blank');
    for (const realm of [frame.contentWindow, blank] as unknown as Realm[]) {
      try {
        showOtherAddress(realm);
        return;
      } catch {
        // The next realm may succeed.
      }
    }
    blank?.close();
    throw new DOMException('', 'SecurityError');
  });
  const popup = open(otherUrl);
  // It has its opener's origin until the other page replaces the blank one.
  await attempt('otherPage', async () => {
    while (!popup?.document.querySelector('form')) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  });
  popup?.close();
  document.documentElement.dataset.report = JSON.stringify(report);
}
