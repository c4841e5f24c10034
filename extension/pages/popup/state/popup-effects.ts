import type { Signal } from '@preact/signals';
import { linkEtag } from '../../../../shared/links/link-etag.ts';
import type { LinkRecord } from '../../../../shared/links/link-record.ts';
import type { ShortenRequest } from '../../../../shared/links/shorten-request.ts';
import type { Time } from '../../../../shared/time.ts';
import { markFields } from '../../../../shared/ui/link-form/form-issues.ts';
import type { LinkForm } from '../../../../shared/ui/link-form/link-form.ts';
import type { SavedLink } from '../../../links/link.ts';
import { callServer } from '../../../messaging/call-server.ts';
import type {
  Failure,
  LinkReference,
  Reply,
  Send,
  ShortenResult,
  UrlStart,
} from '../../../messaging/protocol.ts';
import { requestStart } from '../tab-page.ts';
import type {
  Effect,
  EffectOf,
  Event,
  Explained,
  ExplainedStart,
  FailureWithText,
  Model,
  Rejection,
  Started,
  TabPage,
} from './popup-model.ts';

export type PopupTools = {
  /** Names the popup's port to the background. */
  popupId: string;
  send: Send;
  /** @returns whether the text is in the clipboard */
  copy(text: string): Promise<boolean>;
  /** Resolves with the tab's page when it has loaded. */
  whenLoaded(page: TabPage): Promise<TabPage>;
  time: Pick<Time, 'after'>;
};

type Context = {
  tools: PopupTools;
  /** A promise, so that the popup can render before the browser answers. */
  page: Promise<TabPage>;
  /** The popup as it is now. */
  model: () => Model;
  dispatch: (event: Event) => Promise<void>;
  /** The response that takes long. */
  slowAnswer: Signal<Promise<unknown> | undefined>;
  /** The response to the first start, if it was requested already. */
  takeFirstRequest: () => Promise<Reply<'startPopup'>> | undefined;
};

/** After this time the popup says that the server is slow. */
const SLOW_MS = 3000;

/** Returns a function that does what transitions ask for. It resolves when all that follows is done. */
export function createEffects(context: Context) {
  const { tools, page, model, dispatch, slowAnswer, takeFirstRequest } = context;
  const { send, popupId, time } = tools;

  const callAbout = ({ serverOrigin }: LinkReference) => callServer(send, serverOrigin);

  /** Shows a notice while a response takes long. */
  async function noticeIfSlow<T>(answer: Promise<T>): Promise<T> {
    const cancel = time.after(SLOW_MS, () => {
      slowAnswer.value = answer;
    });
    const data = await answer;
    cancel();
    // Another request may have started meanwhile.
    if (slowAnswer.value === answer) slowAnswer.value = undefined;
    return data;
  }

  async function start(known: TabPage | undefined): Promise<void> {
    const request =
      takeFirstRequest() ??
      requestStart({
        page: known ? Promise.resolve(known) : page,
        isForOptions: model().isForOptions,
        domain: model().domains?.chosen,
        popupId,
        send,
      });
    await dispatch({ type: 'opened', tab: known ?? (await page) });
    const answer = await noticeIfSlow(request);
    await dispatch({ type: 'started', answer: await explainStart(answer) });
  }

  async function waitForPage({ tab, shown }: EffectOf<'wait for page'>): Promise<void> {
    const loaded = await tools.whenLoaded(tab);
    const failure = await withText({ ok: false, code: 'page_has_loaded' }, originOf(model()));
    await dispatch({ type: 'loaded', tab: loaded, shown, failure });
  }

  async function resolveUrl(effect: EffectOf<'resolve url'>): Promise<void> {
    const { text, keepTracking, createsLink, about } = effect;
    const answer = await noticeIfSlow(
      send('startUrl', {
        ...{ text, createsLink, keepTracking, popupId },
        ...(about && { pageTitle: about.title }),
        isPrivate: (await page).isPrivate,
        requestId: crypto.randomUUID(),
        domain: model().domains?.chosen,
      }),
    );
    const explained = answer.ok
      ? { ok: true as const, data: await explainUrl(answer.data) }
      : await withText(answer, originOf(model()));
    await dispatch({ type: 'url resolved', effect, answer: explained });
  }

  async function createLink(
    request: ShortenRequest,
    more: { reuseExisting?: boolean; isFromForm?: boolean; draftTabId?: number | undefined },
  ): Promise<ShortenResult> {
    const { subject, domains } = model();
    const { domain = domains?.chosen } = request;
    return noticeIfSlow(
      send('createLink', {
        request: { ...request, ...(domain && { domain }) },
        isPrivate: (await page).isPrivate,
        pageTitle: subject.title,
        isSecretAccepted: subject.isSecretAccepted,
        popupId,
        requestId: crypto.randomUUID(),
        ...more,
      }),
    );
  }

  async function create(effect: EffectOf<'create'>): Promise<void> {
    const { about, reuseExisting } = effect;
    const answer = await createLink({ originalUrl: about.url }, { reuseExisting });
    await dispatch({ type: 'created', effect, answer: await explain(answer) });
  }

  async function readForm(effect: EffectOf<'read form'>): Promise<void> {
    const { EMPTY_FORM, toChanges } = await import('../../../../shared/ui/link-form/link-form.ts');
    const { newLinkForm } = await import('../form/new-link-form.ts');
    const form = { ...newLinkForm(effect.about, model().settings), ...effect.fields };
    const read = toChanges(form, EMPTY_FORM, Date.now());
    const asRequest = read.ok
      ? { ok: true as const, changes: read.changes as ShortenRequest }
      : read;
    await dispatch({ type: 'form read', effect, form: asRequest });
  }

  async function submit(effect: EffectOf<'submit'>): Promise<void> {
    const draftTabId = draftTabOf(model());
    const sent = await createLink(effect.request, { isFromForm: true, draftTabId });
    const answer = await explain(sent);
    if (answer.ok) return dispatch({ type: 'submitted', effect, answer });
    const { newLinkForm } = await import('../form/new-link-form.ts');
    const form = { ...newLinkForm(effect.about, model().settings), ...effect.fields };
    await dispatch({ type: 'submitted', effect, answer, rejection: await reject(answer, form) });
  }

  async function readChanges(effect: EffectOf<'read changes'>): Promise<void> {
    const { toChanges, toForm } = await import('../../../../shared/ui/link-form/link-form.ts');
    const before = toForm(effect.shown.link);
    const form = toChanges({ ...before, ...model().changedFields }, before, Date.now());
    await dispatch({ type: 'changes read', effect, form });
  }

  async function edit(effect: EffectOf<'edit'>): Promise<void> {
    const { shown, purpose, changes } = effect;
    const isForm = purpose === 'form' || purpose === 'rename';
    const answer = await noticeIfSlow(
      callAbout(shown.reference)(
        'editLink',
        { body: changes, ifMatch: isForm ? linkEtag(shown.link) : undefined },
        // An alias that is edited in place has no draft.
        { link: shown.reference, draftTabId: purpose === 'form' ? draftTabOf(model()) : undefined },
      ),
    );
    const now = answer.ok ? answer.data : answer.current;
    await dispatch({
      type: 'edited',
      effect,
      ...(now && { now }),
      ...(!answer.ok && { rejection: await rejectEdit(answer, now ?? shown.link) }),
    });
  }

  /** @param link as it is now, whose form may be open */
  async function rejectEdit(failure: Failure, link: LinkRecord): Promise<Rejection> {
    const { isFormOpen, isAliasEdited, changedFields } = model();
    if (!isFormOpen && !isAliasEdited) return reject(failure);
    const { toForm } = await import('../../../../shared/ui/link-form/link-form.ts');
    return reject(failure, { ...toForm(link), ...changedFields });
  }

  async function remove(effect: EffectOf<'delete'>): Promise<void> {
    const link = effect.shown.reference;
    const answer = await callAbout(link)('deleteLink', {}, { link });
    const rejection = answer.ok ? undefined : await rejectEdit(answer, effect.shown.link);
    await dispatch({ type: 'deleted', effect, ...(rejection && { rejection }) });
  }

  async function restore({ shown }: EffectOf<'restore'>): Promise<void> {
    const { link, requestedUrl, reference } = shown;
    const entry: SavedLink = { ...link, serverOrigin: reference.serverOrigin, requestedUrl };
    const answer = await callAbout(reference)('restoreLink', {}, { link: entry });
    if (answer.ok) return dispatch({ type: 'restored', shown, restored: answer.data });
    await dispatch({ type: 'restored', shown, rejection: await reject(answer) });
  }

  async function copy({ shown, text }: EffectOf<'copy'>): Promise<void> {
    await dispatch({ type: 'copied', shown, isCopied: await tools.copy(text) });
  }

  async function saveDraft({ draft }: EffectOf<'save draft'>): Promise<void> {
    const tabId = draftTabOf(model());
    const { url } = await page;
    if (tabId !== undefined && url) await send('saveDraft', { tabId, url, draft });
  }

  async function readLimits(): Promise<void> {
    const answer = await send('readLimits', { isPrivate: (await page).isPrivate });
    if (answer.ok) await dispatch({ type: 'limits read', limits: answer.data });
  }

  async function readQueue(): Promise<void> {
    const answer = await send('readQueue', { isPrivate: (await page).isPrivate });
    if (answer.ok) await dispatch({ type: 'queue read', queued: answer.data });
  }

  async function discard({ shown }: EffectOf<'discard'>): Promise<void> {
    const answer = await explain(await send('discardRequest', { id: shown.failure.queued.id }));
    await dispatch({ type: 'discarded', shown, ...(!answer.ok && { failure: answer }) });
  }

  async function moveServer(effect: EffectOf<'move server'>): Promise<void> {
    const { from, to } = effect;
    const answer = await noticeIfSlow(send('moveServer', { from, to }));
    await dispatch({ type: 'moved', effect, answer: await explain(answer) });
  }

  async function explainFailure(effect: EffectOf<'explain'>): Promise<void> {
    const failure = await withText(effect.failure, originOf(model()));
    await dispatch({ type: 'explained', effect, failure });
  }

  async function explain<R extends { ok: true }>(answer: R | Failure): Promise<Explained<R>> {
    if (answer.ok) return answer as Explained<R>;
    return withText(answer as Failure, originOf(model())) as Promise<Explained<R>>;
  }

  return function run(effect: Effect): Promise<void> {
    switch (effect.do) {
      case 'start':
        return start(effect.tab);
      case 'wait for page':
        // The popup is open meanwhile.
        void waitForPage(effect);
        return Promise.resolve();
      case 'resolve url':
        return resolveUrl(effect);
      case 'create':
        return create(effect);
      case 'read form':
        return readForm(effect);
      case 'submit':
        return submit(effect);
      case 'read changes':
        return readChanges(effect);
      case 'edit':
        return edit(effect);
      case 'delete':
        return remove(effect);
      case 'restore':
        return restore(effect);
      case 'copy':
        return copy(effect);
      case 'empty clipboard':
        return tools.copy('').then(() => {});
      case 'save draft':
        return saveDraft(effect);
      case 'read limits':
        return readLimits();
      case 'read queue':
        return readQueue();
      case 'explain':
        return explainFailure(effect);
      case 'discard':
        return discard(effect);
      case 'move server':
        return moveServer(effect);
    }
  };
}

/** The tab whose draft the form is. A typed URL belongs to no tab. */
function draftTabOf({ subject, tab }: Model): number | undefined {
  return subject.isTyped ? undefined : tab?.tabId;
}

function originOf({ settings }: Model): string | undefined {
  return settings?.serverOrigin;
}

/** Loads the texts on demand: most popups show no error. */
async function withText(failure: Failure, serverOrigin?: string): Promise<FailureWithText> {
  const { errorText } = await import('../../../i18n/error-text.ts');
  return { ...failure, errorText: errorText(failure, serverOrigin) };
}

async function explainStart(answer: Reply<'startPopup'>): Promise<Started> {
  if (!answer.ok) return withText(answer);
  const { data } = answer;
  if ('failure' in data) {
    const { serverOrigin } = data.settings;
    const failure = await withText({ ok: false, code: data.failure }, serverOrigin);
    return { ok: true, data: { ...data, failure } };
  }
  return { ok: true, data: await explainUrl(data) };
}

async function explainUrl<S extends UrlStart>(start: S): Promise<ExplainedStart<S>> {
  const { first, settings } = start;
  if (first.step !== 'showResult' || first.result.ok) return start as ExplainedStart<S>;
  const result = await withText(first.result, settings.serverOrigin);
  return { ...start, first: { step: 'showResult', result } };
}

/** Finds the fields of a form that a failure is about. @param form absent if none is shown */
async function reject(failure: Failure, form?: LinkForm): Promise<Rejection> {
  if (!form) return markFields(failure, () => undefined);
  const { fieldOf } = await import('../../../../shared/ui/link-form/link-form.ts');
  return markFields(failure, (path) => fieldOf(path, form));
}
