import type { Signal } from '@preact/signals';
import { linkEtag } from '../../../../shared/links/link-etag.ts';
import type { LinkRecord } from '../../../../shared/links/link-record.ts';
import type { ShortenRequest } from '../../../../shared/links/shorten-request.ts';
import type { Time } from '../../../../shared/time.ts';
import { markFields } from '../../../../shared/ui/link-form/form-issues.ts';
import type { LinkForm } from '../../../../shared/ui/link-form/link-form.ts';
import type { SavedLink } from '../../../links/link.ts';
import type { CreatedLink, Failure, Result } from '../../../messaging/protocol.ts';
import type { Send } from '../../../messaging/send.ts';
import { requestStart } from '../tab-page.ts';
import type { Effect, EffectOf, Event, Model, Rejection, TabPage } from './popup-model.ts';

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
};

/** After this time the popup says that the server is slow. */
const SLOW_MS = 3000;

/** Returns a function that does what transitions ask for. It resolves when all that follows is done. */
export function createEffects(context: Context) {
  const { tools, page, model, dispatch, slowAnswer } = context;
  const { send, popupId, time } = tools;

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

  async function start({ tab: known, request }: EffectOf<'start'>): Promise<void> {
    const { isForOptions, domains } = model();
    const about = { isForOptions, domain: domains?.chosen, popupId, send };
    const sent = request ?? requestStart({ page: known ? Promise.resolve(known) : page, ...about });
    await dispatch({ type: 'opened', tab: known ?? (await page) });
    await dispatch({ type: 'started', answer: await noticeIfSlow(sent) });
  }

  async function waitForPage({ tab, shown }: EffectOf<'wait for page'>): Promise<void> {
    await dispatch({ type: 'loaded', tab: await tools.whenLoaded(tab), shown });
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
    await dispatch({ type: 'url resolved', effect, answer });
  }

  async function createLink(
    request: ShortenRequest,
    more: { reuseExisting?: boolean; isFromForm?: boolean; draftTabId?: number | undefined },
  ): Promise<Result<CreatedLink>> {
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
    await dispatch({ type: 'created', effect, answer });
  }

  async function readForm(effect: EffectOf<'read form'>): Promise<void> {
    const { about, shown, fields } = effect;
    const { EMPTY_FORM, toChanges, toForm } = await import(
      '../../../../shared/ui/link-form/link-form.ts'
    );
    const { newLinkForm } = await import('../form/new-link-form.ts');
    const before = shown ? toForm(shown.link) : EMPTY_FORM;
    const opened = shown ? before : newLinkForm(about, model().settings);
    const form = toChanges({ ...opened, ...fields }, before, Date.now());
    await dispatch({ type: 'form read', effect, form });
  }

  async function submit(effect: EffectOf<'submit'>): Promise<void> {
    const draftTabId = draftTabOf(model());
    const answer = await createLink(effect.request, { isFromForm: true, draftTabId });
    if (answer.ok) return dispatch({ type: 'submitted', effect, answer });
    const { newLinkForm } = await import('../form/new-link-form.ts');
    const form = { ...newLinkForm(effect.about, model().settings), ...effect.fields };
    await dispatch({ type: 'submitted', effect, answer, rejection: await reject(answer, form) });
  }

  async function edit(effect: EffectOf<'edit'>): Promise<void> {
    const { shown, purpose, changes } = effect;
    const isForm = purpose === 'form' || purpose === 'rename';
    const answer = await noticeIfSlow(
      send('editLink', {
        link: shown.reference,
        body: changes,
        ifMatch: isForm ? linkEtag(shown.link) : undefined,
        // An alias that is edited in place has no draft.
        draftTabId: purpose === 'form' ? draftTabOf(model()) : undefined,
      }),
    );
    // The background has saved it.
    const now = answer.ok ? answer.data : (answer.current as SavedLink | undefined);
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
    const answer = await send('deleteLink', { link: effect.shown.reference });
    const rejection = answer.ok ? undefined : await rejectEdit(answer, effect.shown.link);
    await dispatch({ type: 'deleted', effect, ...(rejection && { rejection }) });
  }

  async function restore({ shown }: EffectOf<'restore'>): Promise<void> {
    const { link, requestedUrl, reference } = shown;
    const entry: SavedLink = { ...link, serverOrigin: reference.serverOrigin, requestedUrl };
    const answer = await send('restoreLink', { link: entry });
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
    const answer = await send('discardRequest', { id: shown.failure.queued.id });
    await dispatch({ type: 'discarded', shown, answer });
  }

  async function moveServer(effect: EffectOf<'move server'>): Promise<void> {
    const { from, to } = effect;
    const answer = await noticeIfSlow(send('moveServer', { from, to }));
    await dispatch({ type: 'moved', effect, answer });
  }

  const effects: { [D in Effect['do']]: (effect: EffectOf<D>) => Promise<void> } = {
    start,
    // The popup is open meanwhile.
    'wait for page': async (effect) => void waitForPage(effect),
    'resolve url': resolveUrl,
    create,
    'read form': readForm,
    submit,
    edit,
    delete: remove,
    restore,
    copy,
    'empty clipboard': async () => void (await tools.copy('')),
    'save draft': saveDraft,
    'read limits': readLimits,
    'read queue': readQueue,
    discard,
    'move server': moveServer,
  };
  return (effect: Effect) => (effects[effect.do] as (effect: Effect) => Promise<void>)(effect);
}

/** The tab whose draft the form is. A typed URL belongs to no tab. */
function draftTabOf({ subject, tab }: Model): number | undefined {
  return subject.isTyped ? undefined : tab?.tabId;
}

/** Finds the fields of a form that a failure is about. @param form absent if none is shown */
async function reject(failure: Failure, form?: LinkForm): Promise<Rejection> {
  if (!form) return markFields(failure, () => undefined);
  const { fieldOf } = await import('../../../../shared/ui/link-form/link-form.ts');
  return markFields(failure, (path) => fieldOf(path, form));
}
