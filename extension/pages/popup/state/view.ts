import type { RuleIssues } from '../../../../shared/ui/link-form/rule-inputs.ts';
import type { ErrorText } from '../../../i18n/error-text.ts';
import type { PopupFields } from '../../../links/form-fields.ts';
import type { LinkSummary } from '../../../links/link.ts';
import type {
  Failure,
  LinkReference,
  QueuedRetry,
  ShortenTarget,
} from '../../../messaging/protocol.ts';

/** The tab that the popup was opened on. */
export type TabPage = {
  url: string | undefined;
  title: string;
  isPrivate: boolean;
  tabId?: number | undefined;
  isLoading?: boolean | undefined;
};

export type LinkView = {
  name: 'link';
  link: LinkSummary;
  isExisting: boolean;
  copy: 'not_asked' | 'done' | 'failed';
  isNotSaved: boolean;
  /** The page declares this short link itself; no server was involved. */
  isPagesOwn?: boolean;
  /** Whether the window is private: its links are not in the list, which changes go through. */
  isPrivate?: boolean;
  /** Absent if the account in use can't change the link. */
  reference?: LinkReference;
  /** What was changed last. Precedes the short URL. */
  notice?: LinkNotice;
};
export type LinkNotice = 'link_saved' | 'link_paused' | 'link_resumed';

/** Error messages by field, in the user's language. */
export type PopupIssues = { [K in keyof PopupFields]?: string } & RuleIssues;

export type View =
  | { name: 'working' }
  /** Shows the options of a new link, and waits until they are submitted. */
  | { name: 'ready' }
  | LinkView
  /** The user has undone the creation of this link. */
  | { name: 'deleted'; link: LinkSummary; reference: LinkReference; requestedUrl: string }
  /** Nothing has been sent: the URL may contain a secret, and the user decides. */
  | {
      name: 'secret';
      before: View;
      proceed: () => Promise<void> | void;
      /** Whether to continue with the form, whose fields a plain link would lack. */
      isForForm: boolean;
      goBack?: () => void;
    }
  /** Curt retries by itself; `retry` sends the request now. */
  | {
      name: 'queued';
      failure: FailureWithText & { queued: QueuedRetry };
      retry: () => Promise<void>;
      onDiscard: () => void;
    }
  | { name: 'failed'; failure: FailureWithText };

/** Whether the tab shows a page that can't have a short link, such as a browser page. */
export function isUnsupportedPage(view: View): boolean {
  return view.name === 'failed' && view.failure.code.startsWith('page_');
}

/** A failure with its text for the user. */
export type FailureWithText = Failure & { errorText: ErrorText };

export type Subject = {
  url: string;
  title: string;
  /** The user typed or pasted the URL: it is not the tab's page. */
  isTyped?: true;
  /** Set once the background has analyzed the URL. */
  target?: ShortenTarget;
  /** The user chose to shorten it including the secret. */
  isSecretAccepted?: true;
};
