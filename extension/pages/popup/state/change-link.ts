import { t } from '../../../../shared/i18n/translate.ts';
import type { EditRequest } from '../../../../shared/links/edit-request.ts';
import { linkEtag } from '../../../../shared/links/link-etag.ts';
import { statusOf } from '../../../../shared/links/shown-link.ts';
import { markFields } from '../../../../shared/ui/link-form/mark-fields.ts';
import { fieldOf } from '../../../../shared/ui/link-form/to-request.ts';
import type { PopupFields } from '../../../links/form-fields.ts';
import type { EditAnswer, Failure, Payload } from '../../../messaging/protocol.ts';
import { linkFields, toChanges } from '../form/edit-fields.ts';
import { noticeIfSlow } from './create-link.ts';
import { clearForm, closeForm, draftTabOf } from './form-draft.ts';
import type { PopupCore } from './popup-core.ts';
import { copyAgain, showEdited } from './show.ts';
import type { LinkNotice, LinkView } from './view.ts';

/** A link that the account in use can change. */
export type OwnLink = LinkView & Required<Pick<LinkView, 'reference'>>;

/** Saves the form of the link that is shown. It stays open if that fails. */
export async function saveLink(core: PopupCore, corrections: Partial<PopupFields>): Promise<void> {
  const shown = ownLink(core);
  if (!shown || core.isSubmitting.value) return;
  const { serverState } = shown.link;
  const changed = { ...core.changedFields.value, ...corrections };
  const parsed = toChanges(shown.link, changed, Date.now());
  core.formFailure.value = undefined;
  core.issues.value = {
    ...(!parsed.ok && parsed.issues),
    ...(core.lacksPassword && { password: t('field_password_again') }),
  };
  // Once: the user may have decided against a password.
  const lackedPassword = core.lacksPassword;
  core.lacksPassword = false;
  if (lackedPassword || !parsed.ok) return;
  const isInPlace = core.isAliasEdited.value;
  if (Object.keys(parsed.changes).length === 0) return closeForm(core);
  const answer = await edit(core, shown, parsed.changes, {
    ifMatch: serverState && linkEtag(serverState),
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
  const isActive = statusOf(shown.link) === 'inactive';
  const answer = await edit(core, shown, { isActive });
  if (answer.ok) notify(core, isActive ? 'link_resumed' : 'link_paused');
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
    shown &&
    markFields(failure, (path) => {
      if (!isFormShown) return undefined;
      if (path === 'originalUrl') return path;
      return fieldOf(path, { ...linkFields(shown.link), ...core.changedFields.value });
    });
  core.formFailure.value = marked?.failure;
  core.issues.value = marked?.issues ?? {};
}

export function ownLink({ view }: PopupCore): OwnLink | undefined {
  const shown = view.value;
  return shown.name === 'link' && shown.reference ? (shown as OwnLink) : undefined;
}

/** Whether the popup still shows this link. */
export function isShown(core: PopupCore, { link }: OwnLink): boolean {
  return ownLink(core)?.link.serverState?.id === link.serverState?.id;
}

function notify({ view }: PopupCore, notice: LinkNotice): void {
  if (view.value.name === 'link') view.value = { ...view.value, notice };
}
