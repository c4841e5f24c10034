import type { ReadonlySignal, Signal } from '@preact/signals';
import type { LinkRecord } from '../../../../shared/links/link-record.ts';
import type { FormIssues, LinkForm } from '../../../../shared/ui/link-form/link-form.ts';
import type { Reply } from '../../../messaging/protocol.ts';
import { acceptSecret, createAnother, discardQueued, watchQueue } from './create-link.ts';
import { changeForm, closeForm, discardDraft, leaveForm } from './form-draft.ts';
import {
  createPopupCore,
  type PopupCore,
  type PopupOptions,
  type PopupTools,
  type TabPage,
} from './popup-core.ts';
import { copyAgain, showLink, showReady } from './show.ts';
import { chooseDomain, continueDraft, start, tryAgain } from './start.ts';

/** What the popup shows, and what the user can do. Only the actions change the signals. */
export type PopupState = ReadonlySignals<PopupCore> & ReturnType<typeof actionsOn>;

type ReadonlySignals<T> = {
  readonly [K in keyof T]: T[K] extends Signal<infer V> ? ReadonlySignal<V> : T[K];
};

/** @param page a promise, so that the popup can render before the browser answers */
export function createPopupState(
  page: Promise<TabPage>,
  tools: PopupTools,
  options?: PopupOptions,
): PopupState {
  const core = createPopupCore(page, tools, options);
  return { ...core, ...actionsOn(core) };
}

/** Those that most popups don't need are loaded on demand. */
function actionsOn(core: PopupCore) {
  const urls = () => import('./change-url.ts');
  const newLink = () => import('./submit-form.ts');
  const ownLink = () => import('./change-link.ts');
  return {
    /** @param request the response of the background, if it was requested already */
    start(request?: Promise<Reply<'startPopup'>>) {
      core.started = start(core, request);
      return core.started;
    },
    tryAgain: () => tryAgain(core),
    /** Moves the link that was just created. Otherwise shows the link on another domain, which is created unless there is one. */
    async chooseDomain(host: string) {
      const shown = core.view.value;
      const isNew = shown.name === 'link' && shown.reference && !shown.isExisting;
      await (isNew ? (await ownLink()).moveLink(core, host) : chooseDomain(core, host));
    },
    createAnother: () => createAnother(core),
    copyAgain: () => copyAgain(core),
    showExisting: (link: LinkRecord) => showLink(core, link, { isExisting: true }),
    /** Pauses the link that is shown, or resumes it. */
    togglePause: async () => (await ownLink()).togglePause(core),
    /** Deletes the link that was just created. */
    undoCreate: async () => (await ownLink()).undoCreate(core),
    /** Takes back `undoCreate`. */
    restoreLink: async () => (await ownLink()).restoreLink(core),
    acceptSecret: () => acceptSecret(core),
    removeSecret: async () => (await urls()).removeSecret(core),
    useFullUrl: async () => (await urls()).useFullUrl(core),
    useTabUrl: async () => (await urls()).useTabUrl(core),
    typeUrl(text: string) {
      core.typedUrl.value = text;
      core.typedUrlFailure.value = undefined;
    },
    shortenTypedUrl: async () => (await urls()).shortenTypedUrl(core),

    /** Shows the options of a new link. */
    showOptions: () => showReady(core),
    /** Opens the form of the link that is shown, with the changes from before, if there are any. */
    openForm() {
      core.isAliasEdited.value = false;
      core.isFormOpen.value = true;
      continueDraft(core);
    },
    /** Opens the form with the changes that were kept. */
    continueDraft: () => continueDraft(core),
    discardDraft: () => discardDraft(core),
    /** @param typed replaces the alias */
    editAlias(typed?: string) {
      core.isAliasEdited.value = true;
      if (typed !== undefined) changeForm(core, { customAlias: typed });
    },
    changeForm: (changes: Partial<LinkForm>) => changeForm(core, changes),
    /** Closes the form of the link that is shown, and offers what was typed. */
    leaveForm: () => leaveForm(core),
    /** Closes the form of the link that is shown, without its changes. */
    closeForm: () => closeForm(core),
    /**
     * Creates a link with the form's values, or changes the one that is shown.
     *
     * @param unreadable what the browser found wrong, such as text in a field for numbers
     */
    async submitForm(unreadable: FormIssues = {}) {
      if (core.view.value.name === 'link') await (await ownLink()).saveLink(core, unreadable);
      else await (await newLink()).submitForm(core, unreadable);
    },

    watchQueue: () => watchQueue(core),
    retryRequest: (id: string) => core.send('retryRequest', { id }),
    discardRequest: (id: string) => core.send('discardRequest', { id }),
    /** Discards the queued request that the popup shows. */
    discardQueued: () => discardQueued(core),
    /** Uses the address where the server of the queued request is now. */
    useNewAddress: async () => (await urls()).useNewAddress(core),
  };
}
