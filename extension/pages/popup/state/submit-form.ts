import type { ReadonlySignal } from '@preact/signals';
import type { ShortenRequest } from '../../../../shared/links/shorten-request.ts';
import { markFields } from '../../../../shared/ui/link-form/form-issues.ts';
import {
  EMPTY_FORM,
  type FormIssues,
  fieldOf,
  type LinkForm,
  newForm,
  toChanges,
} from '../../../../shared/ui/link-form/link-form.ts';
import type { Settings } from '../../../messaging/protocol.ts';
import { confirmSecret, requestLink } from './create-link.ts';
import { checkForm, draftTabOf } from './form-draft.ts';
import type { PopupCore, Subject } from './popup-core.ts';
import { showFailure, showReady, showResult } from './show.ts';

/** Creates the form of a new link. It has no title of the page if the settings say that titles stay here. */
export function newLinkForm({ subject, settings }: ShownPage): LinkForm {
  const { url, title } = subject.value;
  return newForm({ url, title: settings.value?.sendTitles ? title : '' });
}
type ShownPage = {
  subject: ReadonlySignal<Subject>;
  settings: ReadonlySignal<Settings | undefined>;
};

/** Creates a link from the form's values. */
export async function submitForm(core: PopupCore, unreadable: FormIssues): Promise<void> {
  // The background may still be resolving the URL.
  await core.started;
  if (core.view.value.name !== 'ready') return;
  await submitFields(core, core.changedFields.value, unreadable);
}

async function submitFields(
  core: PopupCore,
  changed: Partial<LinkForm>,
  unreadable: FormIssues = {},
): Promise<void> {
  if (core.isSubmitting.value) return;
  const about = core.subject.value;
  const form = { ...newLinkForm(core), ...changed };
  const parsed = toChanges(form, EMPTY_FORM, Date.now());
  if (!checkForm(core, parsed, unreadable) || !parsed.ok) return;
  const proceed = () => submitFields(core, changed);
  if (!confirmSecret(core, proceed, { isForForm: true })) return;
  if (core.view.value.name === 'queued') core.view.value = { name: 'working' };
  core.isSubmitting.value = true;
  const request = parsed.changes as ShortenRequest;
  const draftTabId = await draftTabOf(core);
  const answer = await requestLink(core, request, { isFromForm: true, draftTabId });
  core.isSubmitting.value = false;
  if (core.subject.value !== about) return;
  if (answer.ok) return showResult(core, answer);
  // After "Discard", the form has the submitted values.
  if (answer.queued) return showFailure(core, answer, proceed, () => reopenForm(core, changed));
  if (core.view.value.name !== 'ready') reopenForm(core, changed);
  const marked = markFields(answer, (path) => fieldOf(path, form));
  core.formFailure.value = marked.failure;
  core.issues.value = marked.issues;
}

function reopenForm(core: PopupCore, changed: Partial<LinkForm>): void {
  core.changedFields.value = changed;
  showReady(core);
}
