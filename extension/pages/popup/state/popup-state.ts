import { computed, type ReadonlySignal, signal } from '@preact/signals';
import { t } from '../../../../shared/i18n/translate.ts';
import type { LinkRecord } from '../../../../shared/links/link-record.ts';
import { systemTime } from '../../../../shared/time.ts';
import { lazyCode } from '../../../../shared/ui/lazy.ts';
import type { FormIssues, LinkForm } from '../../../../shared/ui/link-form/link-form.ts';
import type { ErrorText } from '../../../i18n/error-text.ts';
import type { Failure, Reply } from '../../../messaging/protocol.ts';
import { onBroadcast } from '../../../messaging/send.ts';
import { createEffects, type PopupTools } from './popup-effects.ts';
import { type Event, type Model, newModel, showsFailure, type TabPage } from './popup-model.ts';
import { transition } from './transition.ts';

/** Most popups show no failure. */
const errorTexts = lazyCode(() => import('../../../i18n/error-text.ts'));

type Signals = { readonly [K in keyof Model]: ReadonlySignal<Model[K]> };

/** What the popup shows, and what the user can do. */
export type PopupState = ReturnType<typeof createPopupState>;

/** @param page a promise, so that the popup can render before the browser answers */
export function createPopupState(
  page: Promise<TabPage>,
  tools: Omit<PopupTools, 'time'> & Partial<Pick<PopupTools, 'time'>>,
  options?: {
    /** Opened for the options of a new link: nothing is created before they are submitted. @default false */
    isForOptions?: boolean;
  },
) {
  const model = signal(newModel(options));
  const signals = signalsOf(model);
  const slowAnswer = signal<Promise<unknown> | undefined>(undefined);
  let started = Promise.resolve();
  const run = createEffects({
    tools: { time: systemTime, ...tools },
    page,
    model: () => model.peek(),
    dispatch,
    slowAnswer,
  });

  /** Resolves when all that follows from the event is done. */
  async function dispatch(event: Event, hasWaited = false): Promise<void> {
    const next = transition(model.peek(), event);
    if (showsFailure(next.model) && !errorTexts.loaded.peek() && !hasWaited) {
      // After an update of the extension, it can't be loaded.
      await errorTexts.preload().catch(() => {});
      return dispatch(event, true);
    }
    model.value = next.model;
    await Promise.all(next.effects.map(run));
  }

  type Plain = { [E in Event as keyof E extends 'type' ? E['type'] : never]: true };
  const on = (type: keyof Plain) => () => dispatch({ type } as Event);

  return {
    ...signals,
    send: tools.send,
    /** All but the one that is shown. */
    otherLinks: computed(() => {
      const { view, links } = model.value;
      if (view.name !== 'link') return links;
      return links.filter(({ shortUrl }) => shortUrl !== view.link.shortUrl);
    }),
    /** What to say about a failure that is shown. */
    textOf(failure: Failure): ErrorText {
      const serverOrigin = signals.settings.value?.serverOrigin;
      return errorTexts.loaded.value?.errorText(failure, serverOrigin) ?? notLoaded();
    },
    /** Whether the server has been taking long. */
    isSlow: computed(() => slowAnswer.value !== undefined),

    /** @param request the response of the background, if it was requested already */
    start(request?: Promise<Reply<'startPopup'>>) {
      started = dispatch({ type: 'start', request });
      return started;
    },
    tryAgain: on('try again'),
    /** Sends the queued request that is shown. */
    retry: on('retry'),
    /** Moves the link that was just created. Otherwise shows the link on another domain, which is created unless there is one. */
    chooseDomain: (host: string) => dispatch({ type: 'choose domain', host }),
    createAnother: on('create another'),
    copyAgain: on('copy again'),
    showExisting: (link: LinkRecord) => dispatch({ type: 'show existing', link }),
    /** Pauses the link that is shown, or resumes it. */
    togglePause: on('toggle pause'),
    /** Deletes the link that was just created. */
    undoCreate: on('undo'),
    /** Takes back `undoCreate`. */
    restoreLink: on('restore'),
    acceptSecret: on('accept secret'),
    /** Shortens the URL without the secret. */
    removeSecret: on('remove secret'),
    /** Returns from the question about a secret. */
    goBack: on('go back'),
    /** Switches to the URL with its tracking parameters. */
    useFullUrl: on('use full url'),
    /** Switches from the page's canonical URL to the one in the tab. */
    useTabUrl: on('use tab url'),
    typeUrl: (text: string) => dispatch({ type: 'type url', text }),
    shortenTypedUrl: on('shorten typed url'),

    /** Shows the options of a new link. */
    showOptions: on('show options'),
    /** Opens the form of the link that is shown, with the changes from before, if there are any. */
    openForm: on('open form'),
    /** Opens the form with the changes that were kept. */
    continueDraft: on('continue draft'),
    /** Discards the changes that a closed popup has left. */
    discardDraft: on('discard draft'),
    /** @param typed replaces the alias */
    editAlias: (typed?: string) => dispatch({ type: 'edit alias', typed }),
    changeForm: (changes: Partial<LinkForm>) => dispatch({ type: 'change form', changes }),
    /** Closes the form of the link that is shown, and offers what was typed. */
    leaveForm: on('leave form'),
    /** Closes the form of the link that is shown, without its changes. */
    closeForm: on('close form'),
    /**
     * Creates a link with the form's values, or changes the one that is shown.
     *
     * @param unreadable what the browser found wrong, such as text in a field for numbers
     */
    async submitForm(unreadable: FormIssues = {}) {
      // The background may still be resolving the URL.
      if (model.peek().view.name !== 'link') await started;
      await dispatch({ type: 'submit form', unreadable });
    },

    /** Shows the queue and follows its changes while the popup is open. */
    watchQueue() {
      onBroadcast('queueChanged', () => void dispatch({ type: 'queue changed' }));
      onBroadcast('requestSettled', ({ id, answer }) => {
        void dispatch({ type: 'settled', id, answer });
      });
      return dispatch({ type: 'queue changed' });
    },
    retryRequest: (id: string) => tools.send('retryRequest', { id }),
    discardRequest: (id: string) => tools.send('discardRequest', { id }),
    /** Discards the queued request that the popup shows. */
    discardQueued: on('discard queued'),
    /** Uses the address where the server of the queued request is now, which comes along. */
    useNewAddress: on('use new address'),
  };
}

function notLoaded(): ErrorText {
  const title = t('extension_failed_title');
  return { title, text: t('part_failed_text'), remedy: 'try_again' };
}

/** Each part of the model by itself, so that a component renders only when its parts change. */
function signalsOf(model: ReadonlySignal<Model>): Signals {
  const names = Object.keys(model.peek()) as (keyof Model)[];
  const signals = names.map((name) => [name, computed(() => model.value[name])]);
  return Object.fromEntries(signals) as Signals;
}
