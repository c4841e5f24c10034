import { formatCopy } from '../../../../shared/links/copy-format.ts';
import type { PageLink, SavedLink } from '../../../links/link.ts';
import type { Failure, LinkReference, ShortenResult } from '../../../messaging/protocol.ts';
import { clearForm } from './form-draft.ts';
import type { FailureWithText, LinkView, PopupCore } from './popup-core.ts';

export function showReady({ view }: PopupCore): void {
  view.value = { name: 'ready' };
}

export async function showFailure(
  core: PopupCore,
  failure: Failure,
  retry: () => Promise<void>,
  onDiscard = () => showReady(core),
): Promise<void> {
  const current = core.subject.value;
  const before = core.view.value;
  if (failure.limits) core.limits.value = failure.limits;
  const { queued, ...shown } = await withText(core, failure);
  if (core.subject.value !== current) return;
  // The link of a queued request may be shown meanwhile.
  if (before.name === 'queued' && core.view.value !== before) return;
  core.view.value = queued
    ? { name: 'queued', failure: { ...shown, queued }, retry, onDiscard }
    : { name: 'failed', failure: shown };
  const { rate, quota } = core.limits.value ?? {};
  if (failure.status === 429 && !(rate && quota)) await readLimits(core);
}

export async function withText(
  { settings }: PopupCore,
  failure: Failure,
): Promise<FailureWithText> {
  // Loaded on demand: most popups show no error.
  const { errorText } = await import('../../../i18n/error-text.ts');
  return { ...failure, errorText: errorText(failure, settings.value?.serverOrigin) };
}

/** For errors that don't include the limits. */
async function readLimits({ page, send, limits }: PopupCore): Promise<void> {
  const answer = await send('readLimits', { isPrivate: (await page).isPrivate });
  if (answer.ok) limits.value = { ...limits.value, ...answer.data };
}

export function showResult(
  core: PopupCore,
  answer: Extract<ShortenResult, { ok: true }>,
  { copies = true } = {},
): Promise<void> {
  core.limits.value = answer.limits;
  const others = core.links.value.filter(({ shortUrl }) => shortUrl !== answer.data.shortUrl);
  core.links.value = [answer.data, ...others];
  const { data, isExisting = false, notSaved } = answer;
  return showLink(core, data, { isExisting, isNotSaved: notSaved !== undefined, copies });
}

export async function showLink(
  core: PopupCore,
  link: PageLink,
  { isExisting = false, isNotSaved = false, isPagesOwn = false, copies = true },
): Promise<void> {
  const current = core.subject.value;
  const { isPrivate } = await core.page;
  const reference = isPagesOwn || isPrivate ? undefined : referenceOf(core, link);
  // The user may have entered another URL meanwhile.
  if (core.subject.value !== current) return;
  const shown = {
    name: 'link',
    link,
    isExisting,
    isNotSaved,
    isPagesOwn,
    isPrivate,
    copy: 'not_asked',
    ...(reference && { reference }),
  } as const;
  clearForm(core);
  core.keptDraft.value = undefined;
  core.view.value = shown;
  // A paused link leads nowhere.
  if (link.id !== undefined && link.status !== 'active') return;
  if (copies && core.settings.value?.copyAtOnce) await copyShown(core, shown);
}

function referenceOf(
  { settings }: PopupCore,
  { id, shortUrl }: PageLink,
): LinkReference | undefined {
  const serverOrigin = settings.value?.serverOrigin;
  return id !== undefined && serverOrigin ? { serverOrigin, shortUrl } : undefined;
}

/** Shows a link as it is after it was edited. If it was copied, the clipboard follows. */
export async function showEdited(core: PopupCore, edited: SavedLink): Promise<void> {
  const { serverOrigin, requestedUrl: _, ...link } = edited;
  const reference = { serverOrigin, shortUrl: link.shortUrl };
  const { view, links } = core;
  const isSame = ({ id }: PageLink) => id === link.id;
  links.value = links.value.map((one) => (isSame(one) ? link : one));
  const shown = view.value;
  if (shown.name !== 'link' || !isSame(shown.link)) return;
  const hasOldCopy = shown.copy === 'done' && copyText(core, link) !== copyText(core, shown.link);
  view.value = { ...shown, link, reference };
  if (hasOldCopy) await copyAgain(core);
}

export async function copyAgain(core: PopupCore): Promise<void> {
  const shown = core.view.value;
  if (shown.name !== 'link') return;
  // Reset first, so that a second click is visible and announced again.
  const { notice: _, ...rest } = shown;
  const reset = { ...rest, copy: 'not_asked' } as const;
  core.view.value = reset;
  await copyShown(core, reset);
}

async function copyShown(core: PopupCore, shown: LinkView): Promise<void> {
  const isCopied = await core.copy(copyText(core, shown.link));
  // Another link may be shown meanwhile.
  if (core.view.value === shown) core.view.value = { ...shown, copy: isCopied ? 'done' : 'failed' };
}

function copyText({ subject, settings }: PopupCore, link: PageLink): string {
  const title = link.title || subject.value.title;
  return formatCopy({ ...link, title }, settings.value?.copyFormat ?? 'url');
}
