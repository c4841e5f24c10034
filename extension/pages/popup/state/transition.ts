import { t } from '../../../../shared/i18n/translate.ts';
import type { EditRequest } from '../../../../shared/links/edit-request.ts';
import type { LinkRecord } from '../../../../shared/links/link-record.ts';
import type { ShortenRequest } from '../../../../shared/links/shorten-request.ts';
import type { FormIssues } from '../../../../shared/ui/link-form/link-form.ts';
import type { PageLink, SavedLink } from '../../../links/link.ts';
import {
  clearForm,
  continueDraft,
  type EditPurpose,
  type Event,
  type EventOf,
  hasChanges,
  isShown,
  type LinkNotice,
  type Model,
  ownLink,
  type ReadForm,
  type Step,
  step,
  toDraft,
} from './popup-model.ts';
import {
  askAboutSecret,
  changeForm,
  changePage,
  closeForm,
  copyAgain,
  copyText,
  goBack,
  leaveQueue,
  perform,
  queueRead,
  readForm,
  reject,
  reopenForm,
  showAnswer,
  showFailure,
  showLink,
  showReady,
  showResult,
  start,
  started,
  switched,
  switchTo,
  tryAgain,
  typedUrlResolved,
  withDomain,
} from './show-steps.ts';

/** What an event makes of the popup, and what is to be done then. Reads and changes nothing else. */
export function transition(model: Model, event: Event): Step {
  const { view, subject, settings } = model;
  switch (event.type) {
    case 'start':
      return start(model, event.request);
    case 'opened': {
      const { url = '', title } = event.tab;
      return step(changePage({ ...model, tab: event.tab }, { url, title }));
    }
    case 'started':
      return started(model, event.answer);
    case 'loaded': {
      // The user may have entered a URL meanwhile.
      if (view !== event.shown) return step(model);
      const loaded = { ...model, tab: event.tab };
      if (event.tab.url) return start(loaded);
      return showFailure(loaded, { ok: false, code: 'page_has_loaded' }, { do: 'start' });
    }
    case 'try again':
      return tryAgain(model);
    case 'retry':
      return view.name === 'queued' ? perform(model, view.intent) : step(model);

    case 'go back':
      return goBack(model);
    case 'accept secret': {
      if (view.name !== 'secret') return step(model);
      const isPage = subject === model.pageSubject;
      const accepted = isPage
        ? changePage(model, { isSecretAccepted: true })
        : { ...model, subject: { ...subject, isSecretAccepted: true as const } };
      return perform({ ...accepted, view: view.before }, view.intent);
    }
    case 'remove secret': {
      const without = subject.target?.warning?.without;
      if (view.name !== 'secret' || !without) return step(model);
      const keepTracking = subject.target?.url === subject.target?.fullUrl;
      const before = view.isForForm ? view.before : undefined;
      return switchTo(model, without, { keepTracking, before, intent: view.intent });
    }
    case 'use full url':
      return switchTo(model, subject.target?.fullUrl ?? subject.url, { keepTracking: true });
    case 'use tab url':
      return switchTo(model, subject.target?.tabUrl ?? subject.url, { keepTracking: false });
    case 'type url':
      return step({ ...model, typedUrl: event.text, typedUrlFailure: undefined });
    case 'shorten typed url': {
      const working = { name: 'working' } as const;
      return step(
        { ...model, typedUrlFailure: undefined, view: working },
        {
          do: 'resolve url',
          text: model.typedUrl,
          keepTracking: false,
          createsLink: true,
          working,
          before: view,
          intent: { do: 'create', reuseExisting: true },
        },
      );
    }
    case 'url resolved':
      return event.effect.about ? switched(model, event) : typedUrlResolved(model, event);
    case 'use new address': {
      if (view.name !== 'queued' || !view.failure.movedTo || !settings) return step(model);
      // The request gets another ID at the new address, so that its view would end.
      const working = { name: 'working' } as const;
      const { movedTo: to } = view.failure;
      const effect = { from: settings.serverOrigin, to, shown: view, working };
      return step({ ...model, view: working }, { do: 'move server', ...effect });
    }
    case 'moved': {
      const { shown, working } = event.effect;
      const moved = event.answer.ok ? { ...model, settings: event.answer.data } : model;
      if (view !== working) return step(moved);
      if (!event.answer.ok) return showFailure(moved, event.answer, shown.intent);
      return perform(moved, shown.intent);
    }

    case 'created':
      // The user may have entered another URL meanwhile.
      if (subject !== event.effect.about) return step(model);
      return showAnswer(model, event.answer, {
        do: 'create',
        reuseExisting: event.effect.reuseExisting,
      });
    case 'create another': {
      // The form of the link that is shown, which no other view can submit.
      const cleared = clearForm(model);
      if (settings?.optionsFirst) return step(showReady(cleared));
      return perform(cleared, { do: 'create', reuseExisting: false });
    }
    case 'show options':
      return step(showReady(model));
    case 'show existing':
      return showLink(model, event.link, { isExisting: true });
    case 'copy again':
      return copyAgain(model);
    case 'copied':
      // Another link may be shown meanwhile.
      if (view !== event.shown) return step(model);
      return step({ ...model, view: { ...event.shown, copy: event.isCopied ? 'done' : 'failed' } });
    case 'choose domain': {
      const own = ownLink(model);
      const { host: domain } = event;
      if (own && !own.isExisting) return edit(model, 'move', { domain });
      return tryAgain(withDomain(model, domain));
    }
    case 'toggle pause': {
      const isPaused = ownLink(model)?.link.status === 'inactive';
      return edit(model, isPaused ? 'resume' : 'pause', { isActive: isPaused });
    }
    case 'undo': {
      const shown = ownLink(model);
      return step(model, shown && { do: 'delete', shown, requestedUrl: subject.url });
    }
    case 'deleted':
      return deleted(model, event);
    case 'restore':
      return step(model, view.name === 'deleted' && { do: 'restore', shown: view });
    case 'restored': {
      if (view !== event.shown) return step(model);
      if (!event.restored) return step(reject(model, event.rejection));
      // Its version is another one.
      const { serverOrigin: _, requestedUrl: __, ...link } = event.restored;
      return showLink({ ...model, links: [link, ...model.links] }, link, {});
    }

    case 'open form':
      return step(continueDraft({ ...model, isAliasEdited: false, isFormOpen: true }));
    case 'continue draft':
      return step(continueDraft(model));
    case 'discard draft':
      return step({ ...model, keptDraft: undefined }, { do: 'save draft', draft: undefined });
    case 'leave form':
      return step({
        ...clearForm(model),
        keptDraft: hasChanges(model) ? toDraft(model) : undefined,
      });
    case 'close form':
      return closeForm(model);
    case 'edit alias': {
      const opened = { ...model, isAliasEdited: true };
      if (event.typed === undefined) return step(opened);
      return changeForm(opened, { customAlias: event.typed });
    }
    case 'change form':
      return changeForm(model, event.changes);
    case 'submit form': {
      const { unreadable } = event;
      const shown = ownLink(model);
      if (!shown && view.name !== 'ready') return step(model);
      return readForm(model, model.changedFields, { unreadable, shown });
    }
    case 'form read':
      return formRead(model, event);
    case 'submitted':
      return submitted(model, event);
    case 'edited':
      return edited(model, event);

    case 'limits read':
      return step({ ...model, limits: { ...model.limits, ...event.limits } });
    case 'queue changed':
      return step(model, { do: 'read queue' });
    case 'queue read':
      return queueRead(model, event);
    case 'settled': {
      const { answer } = event;
      if (view.name !== 'queued' || view.failure.queued.id !== event.id) return step(model);
      // Not copied: the user may have copied something else meanwhile.
      if (answer.ok) return showResult(model, answer, { copies: false });
      return showFailure(model, answer, { do: 'create', reuseExisting: true });
    }
    case 'discard queued':
      return step(model, view.name === 'queued' && { do: 'discard', shown: view });
    case 'discarded':
      if (view !== event.shown) return step(model);
      if (!event.answer.ok) return showFailure(model, event.answer, event.shown.intent);
      return step(leaveQueue(model, event.shown.intent));
  }
}

/** Edits the link that is shown, unless an edit is under way. */
function edit(model: Model, purpose: EditPurpose, changes: EditRequest): Step {
  const shown = ownLink(model);
  if (!shown || model.isSubmitting) return step(model);
  return step({ ...model, isSubmitting: true }, { do: 'edit', shown, purpose, changes });
}

/** A new alias is copied, which says enough. */
const NOTICES: { [P in EditPurpose]?: LinkNotice } = {
  form: 'link_saved',
  move: 'link_saved',
  pause: 'link_paused',
  resume: 'link_resumed',
};

function edited(model: Model, { effect, now, rejection }: EventOf<'edited'>): Step {
  const { shown, purpose } = effect;
  const done = { ...model, isSubmitting: false };
  const next = now ? withLink(done, now) : done;
  if (!isShown(next, shown)) return step(next);
  const isForm = purpose === 'form' || purpose === 'rename';
  const closed = isForm && !rejection ? clearForm(next) : reject(next, rejection);
  const notice = rejection ? undefined : NOTICES[purpose];
  const isRenamed = purpose === 'rename' && !rejection;
  // The clipboard follows.
  if (isRenamed || isCopyStale(model, next)) return copyAgain(closed, notice);
  return step(notice ? notify(closed, notice) : closed);
}

/** Whether something else would be copied by now. */
function isCopyStale(before: Model, after: Model): boolean {
  const [was, is] = [ownLink(before), ownLink(after)];
  if (was?.copy !== 'done' || !is) return false;
  return copyText(before, was.link) !== copyText(after, is.link);
}

function notify(model: Model, notice: LinkNotice): Model {
  const { view } = model;
  return view.name === 'link' ? { ...model, view: { ...view, notice } } : model;
}

/** Puts in a link as it is after it was edited. */
function withLink(model: Model, { serverOrigin, requestedUrl: _, ...link }: SavedLink): Model {
  const isSame = ({ id }: PageLink) => id === link.id;
  const links = model.links.map((one) => (isSame(one) ? link : one));
  const { view } = model;
  if (view.name !== 'link' || !isSame(view.link)) return { ...model, links };
  const reference = { serverOrigin, shortUrl: link.shortUrl };
  return { ...model, links, view: { ...view, link, reference } };
}

function deleted(model: Model, { effect, rejection }: EventOf<'deleted'>): Step {
  const { shown, requestedUrl } = effect;
  const { link, reference } = shown;
  const isLeft = ({ shortUrl }: LinkRecord) => shortUrl !== link.shortUrl;
  const links = rejection ? model.links : model.links.filter(isLeft);
  // The user may have entered another URL meanwhile.
  if (!isShown(model, shown)) return step({ ...model, links });
  if (rejection) return step(reject(model, rejection));
  // With its draft: the next popup would open the form of a link that is gone.
  const { model: closed, effects } = closeForm({ ...model, links });
  const view = { name: 'deleted', link, reference, requestedUrl } as const;
  // What was in the clipboard before can't be read without a permission that browsers warn about.
  return step({ ...closed, view }, ...effects, shown.copy === 'done' && { do: 'empty clipboard' });
}

function formRead(model: Model, { effect, form }: EventOf<'form read'>): Step {
  const { about, shown, fields, unreadable } = effect;
  const isOpen = shown ? isShown(model, shown) : model.subject === about;
  if (model.isSubmitting || !isOpen) return step(model);
  const checked = check(model, form, unreadable);
  if (!form.ok || hasIssues(checked)) return step(checked);
  if (shown) return submitChanges(checked, form.changes);
  const question = askAboutSecret(checked, { do: 'submit', fields }, true);
  if (question) return step(question);
  const request = form.changes as ShortenRequest;
  const { view } = checked;
  const submitting = {
    ...withDomain(checked, request.domain),
    isSubmitting: true,
    view: view.name === 'queued' ? ({ name: 'working' } as const) : view,
  };
  return step(submitting, { do: 'submit', about, fields, request });
}

function submitChanges(model: Model, changes: EditRequest): Step {
  if (Object.keys(changes).length === 0) return closeForm(model);
  return edit(model, model.isAliasEdited ? 'rename' : 'form', changes);
}

function submitted(model: Model, { effect, answer, rejection }: EventOf<'submitted'>): Step {
  const { about, fields } = effect;
  const done = { ...model, isSubmitting: false };
  if (model.subject !== about) return step(done);
  if (answer.ok) return showResult(done, answer);
  if (answer.queued) return showFailure(done, answer, { do: 'submit', fields });
  const isReady = model.view.name === 'ready';
  return step(reject(isReady ? done : reopenForm(done, fields), rejection));
}

/** Marks the fields whose values can't be sent. */
function check(model: Model, form: ReadForm, unreadable: FormIssues): Model {
  const issues = {
    ...(!form.ok && form.issues),
    ...unreadable,
    ...(model.lacksPassword && { password: t('field_password_again') }),
  };
  // Once: the user may have decided against a password.
  return { ...model, formFailure: undefined, issues, lacksPassword: false };
}

function hasIssues({ issues }: Model): boolean {
  return Object.keys(issues).length > 0;
}
