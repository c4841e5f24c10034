import { computed, signal } from '@preact/signals';
import type { Limits } from '../../../../shared/client.ts';
import type { LinkRecord } from '../../../../shared/links/link-record.ts';
import type { Marked } from '../../../../shared/ui/link-form/form-issues.ts';
import type { FormIssues, LinkForm } from '../../../../shared/ui/link-form/link-form.ts';
import type { ErrorText } from '../../../i18n/error-text.ts';
import type { FormDraft } from '../../../links/form-schema.ts';
import type { PageLink } from '../../../links/link.ts';
import type {
  DomainChoices,
  Failure,
  LinkReference,
  QueuedRequest,
  QueuedRetry,
  Send,
  Settings,
  ShortenTarget,
} from '../../../messaging/protocol.ts';

export type PopupTools = {
  /** Names the popup's port to the background. */
  popupId: string;
  send: Send;
  /** @returns whether the text is in the clipboard */
  copy(text: string): Promise<boolean>;
  /** Resolves with the tab's page when it has loaded. */
  whenLoaded(page: TabPage): Promise<TabPage>;
};

export type PopupOptions = {
  /** Opened for the options of a new link: nothing is created before they are submitted. @default false */
  isForOptions?: boolean;
};

export type PopupCore = ReturnType<typeof createPopupCore>;

/** Creates the signals that the popup's actions change. Components get them read-only, as `PopupState`. */
export function createPopupCore(
  /** A promise, so that the popup can render before the browser answers. */
  page: Promise<TabPage>,
  tools: PopupTools,
  { isForOptions = false }: PopupOptions = {},
) {
  const view = signal<View>({ name: isForOptions ? 'ready' : 'working' });
  /** The subject's links, newest first, including those created since the popup was opened. */
  const links = signal<LinkRecord[]>([]);
  /** The response that takes long. */
  const slowAnswer = signal<Promise<unknown> | undefined>(undefined);
  const pageSubject: Subject = { url: '', title: '' };
  return {
    ...tools,
    page,
    isForOptions,
    /** Resolves when the background has decided about the tab's page. */
    started: Promise.resolve(),
    /** The tab's page. Typing another URL doesn't change it. */
    pageSubject,
    /** What the popup shortens: the tab's page, or the URL that the user entered. */
    subject: signal(pageSubject),
    view,
    links,
    /** All but the one that is shown. */
    otherLinks: computed(() => {
      const shown = view.value;
      if (shown.name !== 'link') return links.value;
      return links.value.filter(({ shortUrl }) => shortUrl !== shown.link.shortUrl);
    }),
    /** Undefined until the background has answered. */
    settings: signal<Settings | undefined>(undefined),
    /** Undefined if there is no choice. */
    domains: signal<DomainChoices | undefined>(undefined),
    showLoopbackNotice: signal(false),
    /** From the last response. */
    limits: signal<Limits | undefined>(undefined),
    /** The requests that wait for a server, oldest first. Empty until the queue has been read. */
    queued: signal<QueuedRequest[]>([]),
    slowAnswer,
    /** Whether the server has been taking long. */
    isSlow: computed(() => slowAnswer.value !== undefined),
    typedUrl: signal(''),
    typedUrlFailure: signal<FailureWithText | undefined>(undefined),
    /** The fields that the user changed. The others are those of the link that is shown, or empty. */
    changedFields: signal<Partial<LinkForm>>({}),
    issues: signal<FormIssues>({}),
    formFailure: signal<Marked<Failure> | undefined>(undefined),
    /** Whether the form's draft had a password, which the user hasn't entered again. */
    lacksPassword: false,
    /** Changes of the link that is shown, from a popup that closed before they were saved. */
    keptDraft: signal<FormDraft | undefined>(undefined),
    /** Whether the options of the link that is shown are open. */
    isFormOpen: signal(false),
    /** Whether the alias of the link that is shown is edited in place. */
    isAliasEdited: signal(false),
    isSubmitting: signal(false),
  };
}

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
  link: PageLink;
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

export type View =
  | { name: 'working' }
  /** Shows the options of a new link, and waits until they are submitted. */
  | { name: 'ready' }
  | LinkView
  /** The user has undone the creation of this link. */
  | { name: 'deleted'; link: LinkRecord; reference: LinkReference; requestedUrl: string }
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

export type ViewOf<N extends View['name']> = Extract<View, { name: N }>;

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
