import type { ReadonlySignal } from '@preact/signals';
import type { Limits } from '../../../../shared/client.ts';
import type { FormFields } from '../../../../shared/ui/link-form/form-fields.ts';
import type { Marked } from '../../../../shared/ui/link-form/mark-fields.ts';
import type { FieldIssues } from '../../../../shared/ui/link-form/to-request.ts';
import type { LinkSummary } from '../../../links/link.ts';
import type {
  Answer,
  Failure,
  QueuedRequest,
  Reply,
  Send,
  Settings,
  ShortenResult,
} from '../../../messaging/protocol.ts';
import type { ManagedLink } from '../manage/manage-state.ts';
import { acceptSecret, createAnother, shorten } from './create-link.ts';
import { changeField } from './edit-form.ts';
import { createPopupCore, type PopupOptions, type PopupTools } from './popup-core.ts';
import { discardQueued, watchQueue } from './queued-requests.ts';
import { copyAgain, showEdited, showLink } from './show.ts';
import { start, tryAgain } from './start.ts';
import type { FailureWithText, Subject, TabPage, View } from './view.ts';

/** What the popup shows, and what the user can do. Only the actions change the signals. */
export type PopupState = {
  view: ReadonlySignal<View>;
  /** What the popup shortens: the tab's page, or the URL that the user entered. */
  subject: ReadonlySignal<Subject>;
  /** The subject's links, except the one that is shown. */
  otherLinks: ReadonlySignal<LinkSummary[]>;
  /** Undefined until the background has answered. */
  settings: ReadonlySignal<Settings | undefined>;
  limits: ReadonlySignal<Limits | undefined>;
  showLoopbackNotice: ReadonlySignal<boolean>;
  /** Whether the server has been taking long. */
  isSlow: ReadonlySignal<boolean>;
  /** @param request the response of the background, if it was requested already */
  start(request?: Promise<Reply<'startPopup'>>): Promise<void>;
  tryAgain(): Promise<void>;
  shorten(): Promise<void>;
  createAnother(): Promise<void>;
  copyAgain(): Promise<void>;
  showExisting(link: LinkSummary): Promise<void>;
  send: Send;
  /** Shows a link as it is after it was edited. */
  showEdited(changed: ManagedLink): Promise<void>;
  acceptSecret(): Promise<void>;
  removeSecret(): Promise<void>;
  useFullUrl(): Promise<void>;
  useTabUrl(): Promise<void>;

  typedUrl: ReadonlySignal<string>;
  typedUrlFailure: ReadonlySignal<FailureWithText | undefined>;
  typeUrl(text: string): void;
  shortenTypedUrl(): Promise<void>;

  isForOptions: boolean;
  isFormOpen: ReadonlySignal<boolean>;
  isSubmitting: ReadonlySignal<boolean>;
  /** The form's fields that the user changed. */
  changedFields: ReadonlySignal<Partial<FormFields>>;
  issues: ReadonlySignal<FieldIssues>;
  formFailure: ReadonlySignal<Marked<Failure> | undefined>;
  toggleForm(): void;
  changeField<K extends keyof FormFields>(name: K, value: FormFields[K]): void;
  submitForm(corrections?: Partial<FormFields>): Promise<void>;

  /** The requests that wait for a server, oldest first. */
  queued: ReadonlySignal<QueuedRequest[]>;
  watchQueue(): Promise<void>;
  retryRequest(id: string): Promise<ShortenResult>;
  discardRequest(id: string): Promise<Answer<true>>;
  /** Discards the queued request that the popup shows. */
  discardQueued(): Promise<void>;
};

/** @param page a promise, so that the popup can render before the browser answers */
export function createPopupState(
  page: Promise<TabPage>,
  tools: PopupTools,
  options?: PopupOptions,
): PopupState {
  const core = createPopupCore(page, tools, options);
  // Loaded on demand: most popups need neither.
  const urls = () => import('./change-url.ts');
  const form = () => import('./submit-form.ts');
  return {
    ...core,
    start: (request) => start(core, request),
    tryAgain: () => tryAgain(core),
    shorten: () => shorten(core),
    createAnother: () => createAnother(core),
    copyAgain: () => copyAgain(core),
    showExisting: (link) => showLink(core, link, { isExisting: true }),
    showEdited: (changed) => showEdited(core, changed),
    acceptSecret: () => acceptSecret(core),
    removeSecret: async () => (await urls()).removeSecret(core),
    useFullUrl: async () => (await urls()).useFullUrl(core),
    useTabUrl: async () => (await urls()).useTabUrl(core),
    typeUrl(text) {
      core.typedUrl.value = text;
      core.typedUrlFailure.value = undefined;
    },
    shortenTypedUrl: async () => (await urls()).shortenTypedUrl(core),
    toggleForm() {
      core.isFormOpen.value = !core.isFormOpen.value;
    },
    changeField: (name, value) => changeField(core, name, value),
    submitForm: async (corrections) => (await form()).submitForm(core, corrections),
    watchQueue: () => watchQueue(core),
    retryRequest: (id) => core.send('retryRequest', { id }),
    discardRequest: (id) => core.send('discardRequest', { id }),
    discardQueued: () => discardQueued(core),
  };
}
