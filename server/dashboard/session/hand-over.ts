import type { Session, TokenStorage } from './session.ts';

const CHANNEL = 'curt-session';
/** In a tab that had its chance: who signs out of it is not signed in as somebody else by a reload. */
const KNOWN_TAB = 'curt-tab';
/** Tabs in the background answer late. */
const ASKS_FOR_MS = 2000;

/** How long tabs wait that did not open the new one: the one that did comes first. */
const OTHERS_WAIT_MS = 150;

type Message = { asks: string } | { token: string };

type Tab = {
  /** Ends with the tab. */
  storage: TokenStorage;
  /** Where links are opened. */
  page: Pick<Document, 'addEventListener'>;
  /** The address that the tab was opened with. */
  href: string;
};

/**
 * Signs in a new tab with the token of a tab that is open, so that links can be opened in new tabs. A token
 * that does not stay on the device goes from tab to tab in memory: it ends with the last one. With several
 * accounts, the tab with the opened link comes before all others.
 */
export function shareBetweenTabs(
  session: Pick<Session, 'token' | 'adopt'>,
  { storage, page, href }: Tab,
): void {
  if (typeof BroadcastChannel === 'undefined') return;
  const channel = new BroadcastChannel(CHANNEL);
  const hasOpened = rememberOpened(page);
  let isAsking = session.token.value === undefined && storage.getItem(KNOWN_TAB) === null;
  storage.setItem(KNOWN_TAB, 'yes');
  function answer(): void {
    const token = session.token.value;
    if (token !== undefined) channel.postMessage({ token } satisfies Message);
  }
  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    if ('asks' in data) {
      if (hasOpened(data.asks)) answer();
      else setTimeout(answer, OTHERS_WAIT_MS);
    } else if (isAsking) {
      isAsking = false;
      session.adopt(data.token);
    }
  });
  if (!isAsking) return;
  channel.postMessage({ asks: href } satisfies Message);
  setTimeout(() => {
    isAsking = false;
  }, ASKS_FOR_MS);
}

/** Remembers the links that may have been opened in a new tab. @returns whether one of them was */
function rememberOpened(page: Tab['page']): (href: string) => boolean {
  const opened = new Set<string | undefined>();
  const remember = ({ target }: Event) => opened.add((target as Element).closest?.('a')?.href);
  // A middle click, one with a key, and the browser's menu.
  for (const kind of ['click', 'auxclick', 'contextmenu'])
    page.addEventListener(kind, remember, true);
  return (href) => opened.has(href);
}
