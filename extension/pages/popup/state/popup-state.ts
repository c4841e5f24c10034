import type { ReadonlySignal } from '@preact/signals';
import type { Limits } from '../../../../shared/client.ts';
import type { Marked } from '../../../../shared/ui/link-form/mark-fields.ts';
import type { FormDraft, PopupFields } from '../../../links/form-fields.ts';
import type { LinkSummary } from '../../../links/link.ts';
import type {
  Answer,
  DomainChoices,
  Failure,
  QueuedRequest,
  Reply,
  Send,
  Settings,
  ShortenResult,
} from '../../../messaging/protocol.ts';
import { acceptSecret, createAnother } from './create-link.ts';
import { changeField, closeForm, discardDraft, leaveForm } from './form-draft.ts';
import { createPopupCore, type PopupOptions, type PopupTools } from './popup-core.ts';
import { discardQueued, watchQueue } from './queued-requests.ts';
import { copyAgain, showLink, showReady } from './show.ts';
import { chooseDomain, continueDraft, start, tryAgain } from './start.ts';
import type { FailureWithText, PopupIssues, Subject, TabPage, View } from './view.ts';

/** What the popup shows, and what the user can do. Only the actions change the signals. */
export type PopupState = {
  view: ReadonlySignal<View>;
  /** What the popup shortens: the tab's page, or the URL that the user entered. */
  subject: ReadonlySignal<Subject>;
  /** The subject's links, except the one that is shown. */
  otherLinks: ReadonlySignal<LinkSummary[]>;
  /** Undefined until the background has answered. */
  settings: ReadonlySignal<Settings | undefined>;
  /** Undefined if there is no choice. */
  domains: ReadonlySignal<DomainChoices | undefined>;
  limits: ReadonlySignal<Limits | undefined>;
  showLoopbackNotice: ReadonlySignal<boolean>;
  /** Whether the server has been taking long. */
  isSlow: ReadonlySignal<boolean>;
  /** @param request the response of the background, if it was requested already */
  start(request?: Promise<Reply<'startPopup'>>): Promise<void>;
  tryAgain(): Promise<void>;
  /** Shows the link on another domain, which is created unless there is one. */
  chooseDomain(host: string): Promise<void>;
  createAnother(): Promise<void>;
  copyAgain(): Promise<void>;
  showExisting(link: LinkSummary): Promise<void>;
  send: Send;
  /** Pauses the link that is shown, or resumes it. */
  togglePause(): Promise<void>;
  /** Deletes the link that was just created. */
  undoCreate(): Promise<void>;
  /** Takes back `undoCreate`. */
  restoreLink(): Promise<void>;
  /** Shows the options of a new link. */
  showOptions(): void;
  acceptSecret(): Promise<void>;
  removeSecret(): Promise<void>;
  useFullUrl(): Promise<void>;
  useTabUrl(): Promise<void>;

  typedUrl: ReadonlySignal<string>;
  typedUrlFailure: ReadonlySignal<FailureWithText | undefined>;
  typeUrl(text: string): void;
  shortenTypedUrl(): Promise<void>;

  /** Whether the options of the link that is shown are open. */
  isFormOpen: ReadonlySignal<boolean>;
  /** Whether the alias of the link that is shown is edited in place. */
  isAliasEdited: ReadonlySignal<boolean>;
  isSubmitting: ReadonlySignal<boolean>;
  /** The form's fields that the user changed. */
  changedFields: ReadonlySignal<Partial<PopupFields>>;
  issues: ReadonlySignal<PopupIssues>;
  formFailure: ReadonlySignal<Marked<Failure> | undefined>;
  /** Changes of the link that is shown, from a form that was left before they were saved. */
  keptDraft: ReadonlySignal<FormDraft | undefined>;
  /** Opens the form with these changes. */
  continueDraft(): void;
  discardDraft(): Promise<void>;
  /** With the changes from before, if there are any. */
  openForm(): void;
  /** @param typed replaces the alias */
  editAlias(typed?: string): void;
  /** Closes the form of the link that is shown, and offers what was typed. */
  leaveForm(): void;
  /** Closes the form of the link that is shown, without its changes. */
  closeForm(): Promise<void>;
  changeField<K extends keyof PopupFields>(name: K, value: PopupFields[K]): void;
  /**
   * Creates a link with the form's values, or changes the one that is shown.
   *
   * @param corrections values of fields that the browser doesn't report, such as text in a number field
   */
  submitForm(corrections?: Partial<PopupFields>): Promise<void>;

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
  // Loaded on demand: most popups need none of them.
  const urls = () => import('./change-url.ts');
  const form = () => import('./submit-form.ts');
  const change = () => import('./change-link.ts');
  const undo = () => import('./undo-create.ts');
  return {
    ...core,
    start(request) {
      core.started = start(core, request);
      return core.started;
    },
    tryAgain: () => tryAgain(core),
    chooseDomain: (host) => chooseDomain(core, host),
    createAnother: () => createAnother(core),
    copyAgain: () => copyAgain(core),
    showExisting: (link) => showLink(core, link, { isExisting: true }),
    togglePause: async () => (await change()).togglePause(core),
    undoCreate: async () => (await undo()).undoCreate(core),
    restoreLink: async () => (await undo()).restoreLink(core),
    showOptions: () => showReady(core),
    acceptSecret: () => acceptSecret(core),
    removeSecret: async () => (await urls()).removeSecret(core),
    useFullUrl: async () => (await urls()).useFullUrl(core),
    useTabUrl: async () => (await urls()).useTabUrl(core),
    typeUrl(text) {
      core.typedUrl.value = text;
      core.typedUrlFailure.value = undefined;
    },
    shortenTypedUrl: async () => (await urls()).shortenTypedUrl(core),
    continueDraft: () => continueDraft(core),
    discardDraft: () => discardDraft(core),
    openForm() {
      core.isAliasEdited.value = false;
      core.isFormOpen.value = true;
      continueDraft(core);
    },
    editAlias(typed) {
      core.isAliasEdited.value = true;
      if (typed !== undefined) changeField(core, 'alias', typed);
    },
    leaveForm: () => leaveForm(core),
    closeForm: () => closeForm(core),
    changeField: (name, value) => changeField(core, name, value),
    async submitForm(corrections = {}) {
      if (core.view.value.name === 'link') await (await change()).saveLink(core, corrections);
      else await (await form()).submitForm(core, corrections);
    },
    watchQueue: () => watchQueue(core),
    retryRequest: (id) => core.send('retryRequest', { id }),
    discardRequest: (id) => core.send('discardRequest', { id }),
    discardQueued: () => discardQueued(core),
  };
}
