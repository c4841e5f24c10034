import type { ErrorText } from '../../../i18n/error-text.ts';
import type { LinkSummary } from '../../../links/link.ts';
import type { Failure, QueuedRetry, ShortenTarget } from '../../../messaging/protocol.ts';

/** The tab that the popup was opened on. */
export type TabPage = {
  url: string | undefined;
  title: string;
  isPrivate: boolean;
  tabId?: number | undefined;
};

export type View =
  | { name: 'working' }
  /** Waits for the user's word. */
  | { name: 'ready' }
  | {
      name: 'link';
      link: LinkSummary;
      isExisting: boolean;
      copy: 'not_asked' | 'done' | 'failed';
      isNotSaved: boolean;
      /** A short link of the page's own site, for which no server was asked. */
      isPagesOwn?: boolean;
    }
  /** Nothing has been sent: the address carries a secret, and the user is asked about it. */
  | { name: 'secret'; before: View; goOn: () => Promise<void>; goBack?: () => void }
  /** It is tried again by itself. `again` asks for it now. */
  | {
      name: 'queued';
      failure: Explained & { queued: QueuedRetry };
      again: () => Promise<void>;
      afterDrop: () => void;
    }
  | { name: 'failed'; failure: Explained };

/** Whether the tab shows a page that can have no short link, which is no fault of anybody. */
export function isUnsupportedPage(view: View): boolean {
  return view.name === 'failed' && view.failure.code.startsWith('page_');
}

/** A refusal with the words for it. */
export type Explained = Failure & { words: ErrorText };

export type Subject = {
  url: string;
  title: string;
  /** Once the background has looked at the address. */
  plan?: ShortenTarget;
  /** The user wants it shortened with the secret in it. */
  isSecretAccepted?: true;
};
