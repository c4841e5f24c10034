import { computed, signal } from '@preact/signals';
import type { Limits } from '../../../../shared/client.ts';
import type { Marked } from '../../../../shared/ui/link-form/mark-fields.ts';
import type { FormDraft, PopupFields } from '../../../links/form-fields.ts';
import type { LinkSummary } from '../../../links/link.ts';
import type {
  DomainChoices,
  Failure,
  QueuedRequest,
  Send,
  Settings,
} from '../../../messaging/protocol.ts';
import type { FailureWithText, PopupIssues, Subject, TabPage, View } from './view.ts';

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

/** The signals that the popup's actions change. Components get them read-only, as `PopupState`. */
export function createPopupCore(
  /** A promise, so that the popup can render before the browser answers. */
  page: Promise<TabPage>,
  tools: PopupTools,
  { isForOptions = false }: PopupOptions = {},
) {
  const view = signal<View>({ name: isForOptions ? 'ready' : 'working' });
  /** The subject's links, newest first, including those created since the popup was opened. */
  const links = signal<LinkSummary[]>([]);
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
    settings: signal<Settings | undefined>(undefined),
    /** Undefined if there is no choice. */
    domains: signal<DomainChoices | undefined>(undefined),
    showLoopbackNotice: signal(false),
    /** From the last response. */
    limits: signal<Limits | undefined>(undefined),
    /** Empty until the queue has been read. */
    queued: signal<QueuedRequest[]>([]),
    slowAnswer,
    isSlow: computed(() => slowAnswer.value !== undefined),
    typedUrl: signal(''),
    typedUrlFailure: signal<FailureWithText | undefined>(undefined),
    /** The fields that the user changed. The others are those of the link that is shown, or empty. */
    changedFields: signal<Partial<PopupFields>>({}),
    issues: signal<PopupIssues>({}),
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
