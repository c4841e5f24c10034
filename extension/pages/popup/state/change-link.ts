import type { EditRequest } from '../../../../shared/links/edit-request.ts';
import { linkEtag } from '../../../../shared/links/link-etag.ts';
import type { LinkRecord } from '../../../../shared/links/link-record.ts';
import { markFields } from '../../../../shared/ui/link-form/form-issues.ts';
import {
  type FormIssues,
  fieldOf,
  toChanges,
  toForm,
} from '../../../../shared/ui/link-form/link-form.ts';
import type { EditAnswer, Failure, LinkReference, Payload } from '../../../messaging/protocol.ts';
import { noticeIfSlow } from './create-link.ts';
import { checkForm, clearForm, closeForm, draftTabOf } from './form-draft.ts';
import type { LinkNotice, LinkView, PopupCore } from './popup-core.ts';
import { copyAgain, showEdited, showLink } from './show.ts';

/** A link that the account in use can change. */
type OwnLink = LinkView & { link: LinkRecord; reference: LinkReference };

/** Saves the form of the link that is shown. It stays open if that fails. */
export async function saveLink(core: PopupCore, unreadable: FormIssues): Promise<void> {
  const shown = ownLink(core);
  if (!shown || core.isSubmitting.value) return;
  const before = toForm(shown.link);
  const parsed = toChanges({ ...before, ...core.changedFields.value }, before, Date.now());
  if (!checkForm(core, parsed, unreadable) || !parsed.ok) return;
  const isInPlace = core.isAliasEdited.value;
  if (Object.keys(parsed.changes).length === 0) return closeForm(core);
  const answer = await edit(core, shown, parsed.changes, {
    ifMatch: linkEtag(shown.link),
    // An alias that is edited in place has no draft.
    draftTabId: isInPlace ? undefined : await draftTabOf(core),
  });
  if (!answer.ok || !isShown(core, shown)) return;
  clearForm(core);
  notify(core, 'link_saved');
  if (isInPlace) await copyAgain(core);
}

/** Pauses the link that is shown, or resumes it. */
export async function togglePause(core: PopupCore): Promise<void> {
  const shown = ownLink(core);
  if (!shown || core.isSubmitting.value) return;
  const isActive = shown.link.status === 'inactive';
  const answer = await edit(core, shown, { isActive });
  if (answer.ok) notify(core, isActive ? 'link_resumed' : 'link_paused');
}

/** Moves the link that was just created to another domain. If it was copied, its new URL is. */
export async function moveLink(core: PopupCore, domain: string): Promise<void> {
  const shown = ownLink(core);
  if (!shown || core.isSubmitting.value) return;
  const answer = await edit(core, shown, { domain });
  if (answer.ok) notify(core, 'link_saved');
}

async function edit(
  core: PopupCore,
  shown: OwnLink,
  changes: EditRequest,
  options: Pick<Payload<'editLink'>, 'ifMatch' | 'draftTabId'> = {},
): Promise<EditAnswer> {
  core.isSubmitting.value = true;
  const { reference } = shown;
  const answer = await noticeIfSlow(
    core,
    core.send('editLink', { link: reference, changes, ...options }),
  );
  core.isSubmitting.value = false;
  const now = answer.ok ? answer.data : answer.current;
  if (now) await showEdited(core, now);
  if (isShown(core, shown)) showFailure(core, answer.ok ? undefined : answer);
  return answer;
}

function showFailure(core: PopupCore, failure: Failure | undefined): void {
  const shown = ownLink(core);
  const isFormShown = core.isFormOpen.value || core.isAliasEdited.value;
  const marked =
    failure &&
    markFields(failure, (path) => {
      if (!shown || !isFormShown) return undefined;
      return fieldOf(path, { ...toForm(shown.link), ...core.changedFields.value });
    });
  core.formFailure.value = marked?.failure;
  core.issues.value = marked?.issues ?? {};
}

function ownLink({ view }: PopupCore): OwnLink | undefined {
  const shown = view.value;
  return shown.name === 'link' && shown.reference ? (shown as OwnLink) : undefined;
}

/** Whether the popup still shows this link. */
function isShown(core: PopupCore, { link }: OwnLink): boolean {
  return ownLink(core)?.link.id === link.id;
}

function notify({ view }: PopupCore, notice: LinkNotice): void {
  if (view.value.name === 'link') view.value = { ...view.value, notice };
}

/** Deletes the link that was just created. */
export async function undoCreate(core: PopupCore): Promise<void> {
  const shown = ownLink(core);
  if (!shown) return;
  const { link, reference } = shown;
  const requestedUrl = core.subject.value.url;
  const answer = await core.send('deleteLink', reference);
  if (answer.ok) {
    core.links.value = core.links.value.filter(({ shortUrl }) => shortUrl !== link.shortUrl);
  }
  // The user may have entered another URL meanwhile.
  if (!isShown(core, shown)) return;
  if (!answer.ok) return showFailure(core, answer);
  // With its draft: the next popup would open the form of a link that is gone.
  void closeForm(core);
  core.view.value = { name: 'deleted', link, reference, requestedUrl };
  // What was in the clipboard before can't be read without a permission that browsers warn about.
  if (shown.copy === 'done') await core.copy('');
}

/** Takes back `undoCreate`. */
export async function restoreLink(core: PopupCore): Promise<void> {
  const shown = core.view.value;
  if (shown.name !== 'deleted') return;
  const { link, requestedUrl } = shown;
  const { serverOrigin } = shown.reference;
  const entry = { ...link, serverOrigin, requestedUrl };
  const answer = await core.send('restoreLink', { link: entry });
  if (core.view.value !== shown) return;
  if (!answer.ok) return showFailure(core, answer);
  // Its version is another one.
  const { serverOrigin: _, requestedUrl: __, ...restored } = answer.data;
  core.links.value = [restored, ...core.links.value];
  await showLink(core, restored, {});
}
