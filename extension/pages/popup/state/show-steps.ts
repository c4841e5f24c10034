import type { Success } from '../../../../shared/client/result.ts';
import { formatCopy } from '../../../../shared/links/copy-format.ts';
import type { LinkRecord } from '../../../../shared/links/link-record.ts';
import { issuesLeft } from '../../../../shared/ui/link-form/form-issues.ts';
import type { FormIssues, LinkForm } from '../../../../shared/ui/link-form/link-form.ts';
import type { FormDraft } from '../../../links/form-schema.ts';
import type { PageLink } from '../../../links/link.ts';
import type {
  CreatedLink,
  Failure,
  FirstStep,
  Reply,
  Result,
  UrlStart,
} from '../../../messaging/protocol.ts';
import {
  clearForm,
  continueDraft,
  type Effect,
  type EventOf,
  hasChanges,
  type Intent,
  type LinkNotice,
  type LinkView,
  type Model,
  type OwnLink,
  type Rejection,
  restoreDraft,
  type Step,
  type Subject,
  step,
  toDraft,
  type View,
} from './popup-model.ts';

/** Does what was to be done once the user agrees, or tries again. */
export function perform(model: Model, intent: Intent): Step {
  switch (intent.do) {
    case 'start':
      return start(model);
    case 'create': {
      const question = askAboutSecret(model, intent);
      if (question) return step(question);
      const { reuseExisting } = intent;
      const working = { ...model, view: { name: 'working' } as const };
      return step(working, { do: 'create', about: model.subject, reuseExisting });
    }
    case 'submit':
      return readForm(model, intent.fields);
    case 'show form':
      return step(showReady(model));
  }
}

export function start(model: Model, request?: Promise<Reply<'startPopup'>>): Step {
  const view = { name: model.isForOptions ? 'ready' : 'working' } as const;
  return step({ ...model, view }, { do: 'start', tab: model.tab, request });
}

/** Restarts what failed. */
export function tryAgain(model: Model): Step {
  return perform(model, retryOf(model));
}

function retryOf({ subject, pageSubject }: Model): Intent {
  return subject === pageSubject ? { do: 'start' } : { do: 'create', reuseExisting: true };
}

/** Shows what the background has decided for the tab's page. */
export function started(model: Model, answer: Reply<'startPopup'>): Step {
  const known = answer.ok ? applySettings(model, answer.data) : model;
  if (model.subject !== model.pageSubject) return step(known);
  if (!answer.ok) return showFailure(known, answer, { do: 'start' });
  if ('failure' in answer.data) {
    const { failure: code } = answer.data;
    const shown = showFailure(known, { ok: false, code }, { do: 'start' });
    const { view, tab } = shown.model;
    if (code !== 'page_is_loading' || !tab) return shown;
    return step(shown.model, { do: 'wait for page', tab, shown: view });
  }
  const { data } = answer;
  const { target, links, draft, first } = data;
  const page = { ...changePage(known, { url: target.url, target }), links };
  const edited = draft?.linkId === undefined ? undefined : linkOf(data, draft.linkId);
  if (draft && edited && !model.isForOptions) return showLinkAgain(page, edited, draft);
  const ofNewLink = draft?.linkId === undefined ? draft : undefined;
  const restored = ofNewLink ? restoreDraft(page, ofNewLink) : page;
  const isForForm = model.isForOptions || ofNewLink !== undefined;
  // Whoever asks for options wants another link than the one that is there.
  if (isForForm && first.step === 'showLink') return step(showReady(restored));
  return takeFirstStep(restored, first, isForForm);
}

/** The link with an id, among those of the page. */
function linkOf({ first, links }: UrlStart, id: string): LinkRecord | undefined {
  const shown = first.step === 'showLink' ? [first.link, ...links] : links;
  return shown.find((link): link is LinkRecord => link.id === id);
}

/** Shows a link with its half-written form. It was copied before. */
function showLinkAgain(model: Model, link: LinkRecord, draft: FormDraft): Step {
  const { model: shown } = showLink(model, link, { isExisting: true, copies: false });
  const kept = { ...shown, keptDraft: draft };
  // Firefox closes the popup with Escape and doesn't tell it, so the changes may have been cancelled.
  return step(import.meta.env.FIREFOX ? kept : continueDraft(kept));
}

function takeFirstStep(model: Model, first: FirstStep, isForForm = false): Step {
  if (first.step === 'showLink') {
    const { link, isSiteOwn: isPagesOwn } = first;
    return showLink(model, link, isPagesOwn ? { isPagesOwn } : { isExisting: true });
  }
  const create = { do: 'create', reuseExisting: true } as const;
  if (first.step === 'showResult') return showAnswer(model, first.result, create);
  const question =
    first.step === 'confirmSecret' &&
    askAboutSecret(model, isForForm ? { do: 'show form' } : create, isForForm);
  return step(question || showReady(model));
}

/** Asks the user first if the URL may contain a secret. @returns undefined if there is nothing to ask */
export function askAboutSecret(model: Model, intent: Intent, isForForm = false): Model | undefined {
  const { subject, view, links } = model;
  if (!subject.target?.warning || subject.isSecretAccepted) return undefined;
  const isShown = view.name === 'link' || view.name === 'ready';
  const back = isShown && { back: { view, subject, links } };
  return { ...model, view: { name: 'secret', before: view, intent, isForForm, ...back } };
}

export function goBack(model: Model): Step {
  if (model.view.name !== 'secret' || !model.view.back) return step(model);
  const { back } = model.view;
  // The form was that of the URL before.
  const left = back.subject === model.subject ? model : clearForm({ ...model, ...back });
  // Its response arrived while something else was shown.
  if (back.view.name === 'working') return tryAgain(left);
  return step({ ...left, view: back.view });
}

type OtherForm = { keepTracking: boolean; before?: View | undefined; intent?: Intent };

/** Continues with another form of the URL. @param before the view whose form stays; absent to create a link */
export function switchTo(model: Model, text: string, { keepTracking, ...more }: OtherForm): Step {
  const { view, subject } = model;
  const { before = view.name === 'ready' ? view : undefined } = more;
  const { intent = { do: 'show form' } } = more;
  const createsLink = before === undefined;
  const working = { name: 'working' } as const;
  // That of the link that was shown. The form of a new link stays.
  const next = createsLink ? { ...clearForm(model), view: working } : model;
  return step(next, {
    do: 'resolve url',
    text,
    keepTracking,
    createsLink,
    about: subject,
    working,
    before: before ?? working,
    intent,
  });
}

export function switched(model: Model, { effect, answer }: EventOf<'url resolved'>): Step {
  const { about, createsLink, before, intent } = effect;
  if (!about || model.subject !== about) return step(model);
  if (!answer.ok) return showFailure(model, answer, retryOf(model));
  const { title, isTyped } = about;
  const next = setSubject(model, answer.data, { title, ...(isTyped && { isTyped }) });
  if (createsLink) return takeFirstStep(next, answer.data.first);
  const question = askAboutSecret(next, intent);
  return question ? step(question) : perform({ ...next, view: before }, intent);
}

/** If a typed URL isn't valid, the view before stays. */
export function typedUrlResolved(model: Model, { effect, answer }: EventOf<'url resolved'>): Step {
  // The response for the page may have been shown meanwhile.
  const before = model.view === effect.working ? { ...model, view: effect.before } : model;
  if (!answer.ok) return step({ ...before, typedUrlFailure: answer });
  const { view, subject, links } = before;
  const cleared = { ...clearForm(before), typedUrl: '' };
  const next = setSubject(cleared, answer.data, { title: '', isTyped: true });
  const taken = takeFirstStep(next, answer.data.first);
  if (taken.model.view.name !== 'secret') return taken;
  const asked = { ...taken.model.view, back: { view, subject, links } };
  return { ...taken, model: { ...taken.model, view: asked } };
}

function setSubject(
  model: Model,
  start: UrlStart,
  about: Pick<Subject, 'title' | 'isTyped'>,
): Model {
  // The parameters of its URL were those of the URL before.
  const { originalUrl: _, ...changedFields } = model.changedFields;
  const { target, links } = start;
  const subject = { url: target.url, target, ...about };
  return { ...applySettings(model, start), links, changedFields, subject };
}

function applySettings(model: Model, start: Pick<UrlStart, 'settings'> & Partial<UrlStart>): Model {
  const { settings, domains } = start;
  // Stays while the popup is open: a second start no longer reports it.
  const showLoopbackNotice = start.showLoopbackNotice ?? model.showLoopbackNotice;
  return { ...model, settings, domains, showLoopbackNotice };
}

/** Changes what is known of the tab's page, whether it is the current subject or not. */
export function changePage(model: Model, change: Partial<Subject>): Model {
  const pageSubject = { ...model.pageSubject, ...change };
  const isShown = model.subject === model.pageSubject;
  return { ...model, pageSubject, ...(isShown && { subject: pageSubject }) };
}

export function withDomain(model: Model, chosen: string | undefined): Model {
  const { domains } = model;
  return domains && chosen ? { ...model, domains: { ...domains, chosen } } : model;
}

export function showReady(model: Model): Model {
  return { ...model, view: { name: 'ready' } };
}

export function showAnswer(model: Model, answer: Result<CreatedLink>, intent: Intent): Step {
  return answer.ok ? showResult(model, answer) : showFailure(model, answer, intent);
}

/** @param intent sends the request again */
export function showFailure(model: Model, failure: Failure, intent: Intent): Step {
  const { queued, ...shown } = failure;
  const limits = failure.limits ?? model.limits;
  const view: View = queued
    ? { name: 'queued', failure: { ...shown, queued }, intent }
    : { name: 'failed', failure: shown };
  const isLimited = failure.status === 429 && !(limits?.rate && limits.quota);
  return step({ ...model, limits, view }, isLimited && { do: 'read limits' });
}

export function showResult(
  model: Model,
  { data: { isExisting, notSaved, ...link }, limits }: Success<CreatedLink>,
  { copies = true } = {},
): Step {
  const others = model.links.filter(({ shortUrl }) => shortUrl !== link.shortUrl);
  const known = { ...model, limits, links: [link, ...others] };
  const isNotSaved = notSaved !== undefined;
  return showLink(known, link, { isExisting: isExisting === true, isNotSaved, copies });
}

export function showLink(
  model: Model,
  link: PageLink,
  { isExisting = false, isNotSaved = false, isPagesOwn = false, copies = true },
): Step {
  const { settings, tab } = model;
  const isPrivate = tab?.isPrivate ?? true;
  const { id, shortUrl } = link;
  const isOwn = id !== undefined && settings && !isPagesOwn && !isPrivate;
  const shown: LinkView = {
    name: 'link',
    ...{ link, isExisting, isNotSaved, isPagesOwn, isPrivate, copy: 'not_asked' },
    ...(isOwn && { reference: { serverOrigin: settings.serverOrigin, shortUrl } }),
  };
  const next = { ...clearForm(model), keptDraft: undefined, view: shown };
  // A paused link leads nowhere.
  const isUsable = id === undefined || link.status === 'active';
  return step(next, isUsable && copies && settings?.copyAtOnce && copyOf(next, shown));
}

function copyOf(model: Model, shown: LinkView): Effect {
  return { do: 'copy', shown, text: copyText(model, shown.link) };
}

export function copyText({ subject, settings }: Model, link: PageLink): string {
  const title = link.title || subject.title;
  return formatCopy({ ...link, title }, settings?.copyFormat ?? 'url');
}

/** @param notice what was changed, if anything */
export function copyAgain(model: Model, notice?: LinkNotice): Step {
  const { view } = model;
  if (view.name !== 'link') return step(model);
  // Reset first, so that a second click is visible and announced again.
  const { notice: _, ...rest } = view;
  const reset = { ...rest, copy: 'not_asked', ...(notice && { notice }) } as const;
  return step({ ...model, view: reset }, copyOf(model, reset));
}

/** Shows why the server has rejected what was to be done; undefined if it has not. */
export function reject(model: Model, rejection: Rejection | undefined): Model {
  return { ...model, formFailure: rejection?.failure, issues: rejection?.issues ?? {} };
}

/** Changes fields. The background keeps a draft, because a popup can close at any time. */
export function changeForm(model: Model, changes: Partial<LinkForm>): Step {
  const { rules = [] } = model.changedFields;
  const issues = issuesLeft(model.issues, { rules }, changes);
  const isCleared = Object.keys(issues).length < Object.keys(model.issues).length;
  // The suggested aliases stay: the user may want another one.
  const isOver = isCleared && model.formFailure?.code !== 'alias_taken';
  const changed = {
    ...model,
    changedFields: { ...model.changedFields, ...changes },
    issues,
    ...(isOver && { formFailure: undefined }),
    ...(changes.password !== undefined && { lacksPassword: false }),
  };
  // An alias that is typed in place is no form.
  if (model.isAliasEdited) return step(changed);
  const next = { ...changed, keptDraft: undefined };
  return step(next, { do: 'save draft', draft: toDraft(next) });
}

/** Closes the form of the link that is shown, without its changes. */
export function closeForm(model: Model): Step {
  const hasDraft = model.isFormOpen && hasChanges(model);
  const cleared = clearForm(model);
  return step(cleared, hasDraft && { do: 'save draft', draft: undefined });
}

export function readForm(
  model: Model,
  fields: Partial<LinkForm>,
  { unreadable = {}, shown }: { unreadable?: FormIssues; shown?: OwnLink | undefined } = {},
): Step {
  if (model.isSubmitting) return step(model);
  return step(model, { do: 'read form', about: model.subject, shown, fields, unreadable });
}

export function queueRead(model: Model, { queued }: EventOf<'queue read'>): Step {
  const known = { ...model, queued };
  const { view } = model;
  if (view.name !== 'queued') return step(known);
  const { failure, intent } = view;
  const current = queued.find(({ id }) => id === failure.queued.id);
  // Discarded in the list below, or given up. One that succeeded was reported before this.
  if (!current) return step(leaveQueue(known, intent));
  if (current.retryAtMs === failure.queued.retryAtMs) return step(known);
  const { id, retryAtMs } = current;
  const next = { ...failure, queued: { id, retryAtMs } };
  return step({ ...known, view: { ...view, failure: next } });
}

/** After "Discard", the form has the submitted values. */
export function leaveQueue(model: Model, intent: Intent): Model {
  return intent.do === 'submit' ? reopenForm(model, intent.fields) : showReady(model);
}

export function reopenForm(model: Model, changedFields: Partial<LinkForm>): Model {
  return showReady({ ...model, changedFields });
}
