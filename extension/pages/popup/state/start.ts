import { t } from '../../../../shared/i18n/translate.ts';
import type { LinkRecord } from '../../../../shared/links/link-record.ts';
import type { FormDraft } from '../../../links/form-schema.ts';
import type { FirstStep, Settings, UrlStart } from '../../../messaging/protocol.ts';
import { requestStart } from '../tab-page.ts';
import { changePage, confirmSecret, noticeIfSlow, shorten } from './create-link.ts';
import type { PopupCore, TabPage } from './popup-core.ts';
import { showFailure, showLink, showReady, showResult } from './show.ts';

/**
 * Shows what the background decides for the tab's page.
 *
 * @param request its response, if it has been requested already
 */
export async function start(core: PopupCore, request = requestStart(core)): Promise<void> {
  core.view.value = { name: core.isForOptions ? 'ready' : 'working' };
  const tab = await core.page;
  changePage(core, { url: tab.url ?? '', title: tab.title });
  const answer = await noticeIfSlow(core, request);
  const retry = () => start(core);
  if (answer.ok) applySettings(core, answer.data);
  if (core.subject.value !== core.pageSubject) return;
  if (!answer.ok) return showFailure(core, answer, retry);
  const { data } = answer;
  if ('failure' in data) {
    await showFailure(core, { ok: false, code: data.failure }, retry);
    if (data.failure === 'page_is_loading') void startWhenLoaded(core, tab);
    return;
  }
  changePage(core, { url: data.target.url, target: data.target });
  core.links.value = data.links;
  const { draft } = data;
  const edited = draft?.linkId === undefined ? undefined : linkOf(data, draft.linkId);
  if (draft && edited && !core.isForOptions) return showLinkAgain(core, edited, draft);
  const ofNewLink = draft?.linkId === undefined ? draft : undefined;
  if (ofNewLink) restoreDraft(core, ofNewLink);
  const isForForm = core.isForOptions || ofNewLink !== undefined;
  // Whoever asks for options wants another link than the one that is there.
  if (isForForm && data.first.step === 'showLink') return showReady(core);
  await takeFirstStep(core, data.first, { isForForm });
}

async function startWhenLoaded(core: PopupCore, loading: TabPage): Promise<void> {
  const shown = core.view.value;
  const page = await core.whenLoaded(loading);
  // The user may have entered a URL meanwhile.
  if (core.view.value !== shown) return;
  core.page = Promise.resolve(page);
  if (page.url) return start(core);
  await showFailure(core, { ok: false, code: 'page_has_loaded' }, () => start(core));
}

/** Restarts what failed. */
export function tryAgain(core: PopupCore): Promise<void> {
  return core.subject.value === core.pageSubject ? start(core) : shorten(core);
}

/** Shows the subject's link on another domain, as if the popup had been opened with it. */
export async function chooseDomain(core: PopupCore, chosen: string): Promise<void> {
  const { domains } = core;
  if (domains.value) domains.value = { ...domains.value, chosen };
  await tryAgain(core);
}

export async function takeFirstStep(
  core: PopupCore,
  first: FirstStep,
  { isForForm = false } = {},
): Promise<void> {
  if (first.step === 'showLink') {
    const { link, isSiteOwn: isPagesOwn } = first;
    return showLink(core, link, isPagesOwn ? { isPagesOwn } : { isExisting: true });
  }
  if (first.step === 'showResult') {
    const { result } = first;
    return result.ok ? showResult(core, result) : showFailure(core, result, () => shorten(core));
  }
  const proceed = isForForm ? () => showReady(core) : () => shorten(core);
  if (first.step === 'wait' || confirmSecret(core, proceed, { isForForm })) showReady(core);
}

export function applySettings(
  { settings, domains, showLoopbackNotice }: PopupCore,
  start: { settings: Settings } & Partial<Pick<UrlStart, 'domains' | 'showLoopbackNotice'>>,
): void {
  settings.value = start.settings;
  domains.value = start.domains;
  // Stays while the popup is open: a second start no longer reports it.
  if (start.showLoopbackNotice) showLoopbackNotice.value = true;
}

/** The link with an id, among those of the page. */
function linkOf({ first, links }: UrlStart, id: string): LinkRecord | undefined {
  const shown = first.step === 'showLink' ? [first.link, ...links] : links;
  return shown.find((link): link is LinkRecord => link.id === id);
}

/** Shows a link with its half-written form. It was copied before. */
async function showLinkAgain(core: PopupCore, link: LinkRecord, draft: FormDraft): Promise<void> {
  await showLink(core, link, { isExisting: true, copies: false });
  core.keptDraft.value = draft;
  // Firefox closes the popup with Escape and doesn't tell it, so the changes may have been cancelled.
  if (!import.meta.env.FIREFOX) continueDraft(core);
}

/** Opens the form of the link that is shown, as it was when the popup closed. */
export function continueDraft(core: PopupCore): void {
  const draft = core.keptDraft.value;
  if (!draft) return;
  core.keptDraft.value = undefined;
  restoreDraft(core, draft);
  core.isFormOpen.value = true;
}

function restoreDraft(core: PopupCore, { fields, hadPassword }: FormDraft): void {
  // Typed meanwhile, or before a second start.
  if (Object.keys(core.changedFields.value).length > 0) return;
  core.changedFields.value = fields;
  if (!hadPassword) return;
  core.lacksPassword = true;
  core.issues.value = { password: t('field_password_again') };
}
