import { markFields } from '../../../../shared/ui/link-form/mark-fields.ts';
import type { Failure } from '../../../messaging/protocol.ts';
import { isShown, ownLink } from './change-link.ts';
import { closeForm } from './form-draft.ts';
import type { PopupCore } from './popup-core.ts';
import { showLink } from './show.ts';

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

function showFailure(core: PopupCore, failure: Failure): void {
  core.formFailure.value = markFields(failure, () => undefined).failure;
}
