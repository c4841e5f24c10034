import { markFields } from '../../../../shared/ui/link-form/mark-fields.ts';
import type { Failure } from '../../../messaging/protocol.ts';
import { ownLink } from './change-link.ts';
import type { PopupCore } from './popup-core.ts';
import { showLink } from './show.ts';

/** Deletes the link that was just created. */
export async function undoCreate(core: PopupCore): Promise<void> {
  const shown = ownLink(core);
  if (!shown) return;
  const { link, reference } = shown;
  const answer = await core.send('deleteLink', reference);
  if (core.view.value.name !== 'link') return;
  if (!answer.ok) return showFailure(core, answer);
  core.links.value = core.links.value.filter(({ shortUrl }) => shortUrl !== link.shortUrl);
  core.view.value = { name: 'deleted', link, reference };
  // What was in the clipboard before can't be read without a permission that browsers warn about.
  if (shown.copy === 'done') await core.copy('');
}

/** Takes back `undoCreate`. */
export async function restoreLink(core: PopupCore): Promise<void> {
  const shown = core.view.value;
  if (shown.name !== 'deleted') return;
  const { serverOrigin } = shown.reference;
  const entry = { ...shown.link, serverOrigin, requestedUrl: core.subject.value.url };
  const answer = await core.send('restoreLink', { link: entry });
  if (core.view.value !== shown) return;
  if (!answer.ok) return showFailure(core, answer);
  core.links.value = [shown.link, ...core.links.value];
  await showLink(core, shown.link, {});
}

function showFailure(core: PopupCore, failure: Failure): void {
  core.formFailure.value = markFields(failure, () => undefined).failure;
}
