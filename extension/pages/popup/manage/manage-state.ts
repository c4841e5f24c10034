import { signal } from '@preact/signals';
import type { PlainKey } from '../../../../shared/i18n/translate.ts';
import type { EditRequest } from '../../../../shared/links/edit-request.ts';
import { linkEtag } from '../../../../shared/links/link-etag.ts';
import { statusOf } from '../../../../shared/links/shown-link.ts';
import { type Marked, markFields } from '../../../../shared/ui/link-form/mark-fields.ts';
import { type FieldIssues, fieldOf } from '../../../../shared/ui/link-form/to-request.ts';
import type { LinkSummary } from '../../../links/link.ts';
import type { EditAnswer, Failure, LinkReference, Send } from '../../../messaging/protocol.ts';
import { type EditFields, editFieldsOf, toChanges } from './edit-fields.ts';

export type ManagedLink = { link: LinkSummary; reference: LinkReference };

export type ManageParts = ManagedLink & {
  send: Send;
  /** Shows the link as the server has it now. */
  onChange: (changed: ManagedLink) => void;
};

export type ManageState = ReturnType<typeof createManageState>;

/** What the popup can change of the link that it shows, which belongs to the account in use. */
export function createManageState({ send, onChange, ...opened }: ManageParts) {
  const shown = signal<ManagedLink>(opened);
  const isEditing = signal(false);
  const isBusy = signal(false);
  /** The fields that the user changed. */
  const changed = signal<EditFields>({});
  const issues = signal<FieldIssues>({});
  const failure = signal<Marked<Failure> | undefined>(undefined);
  /** Precedes the short URL. */
  const notice = signal<PlainKey | undefined>(undefined);

  function toggleForm(): void {
    isEditing.value = !isEditing.value;
    changed.value = {};
    issues.value = {};
    failure.value = undefined;
    notice.value = undefined;
  }

  function change(fields: EditFields): void {
    changed.value = { ...changed.value, ...fields };
    const left = Object.entries(issues.value).filter(([name]) => !(name in fields));
    if (left.length === Object.keys(issues.value).length) return;
    issues.value = Object.fromEntries(left);
    failure.value = undefined;
  }

  /** Saves the form. It stays open if that fails. */
  async function save(nowMs = Date.now()): Promise<void> {
    const { link } = shown.value;
    const read = toChanges(link, changed.value, nowMs);
    issues.value = read.ok ? {} : read.issues;
    if (!read.ok || isBusy.value) return;
    if (Object.keys(read.changes).length === 0) return toggleForm();
    const answer = await sendEdit(read.changes, link.serverState && linkEtag(link.serverState));
    if (!answer.ok) return;
    // The user may have closed it meanwhile.
    if (isEditing.value) toggleForm();
    notice.value = 'link_saved';
  }

  /** Pauses the link, or resumes it. */
  async function setActive(isActive: boolean): Promise<void> {
    if (isBusy.value) return;
    notice.value = undefined;
    const answer = await sendEdit({ isActive });
    if (answer.ok) notice.value = isActive ? 'link_resumed' : 'link_paused';
  }

  async function sendEdit(changes: EditRequest, ifMatch?: string): Promise<EditAnswer> {
    const { reference } = shown.value;
    isBusy.value = true;
    const answer = await send('editLink', { link: reference, changes, ifMatch });
    isBusy.value = false;
    showFailure(answer.ok ? undefined : answer);
    const now = answer.ok ? answer.data : answer.current;
    if (now) {
      const { serverOrigin, requestedUrl: _, ...link } = now;
      shown.value = { link, reference: { serverOrigin, shortUrl: link.shortUrl } };
      onChange(shown.value);
    }
    return answer;
  }

  function showFailure(answer: Failure | undefined): void {
    const fields = editFieldsOf(shown.value.link, changed.value);
    const marked =
      answer && markFields(answer, (path) => (isEditing.value ? fieldOf(path, fields) : undefined));
    failure.value = marked?.failure;
    issues.value = marked?.issues ?? {};
  }

  return {
    ...{ shown, isEditing, isBusy, changed, issues, failure, notice },
    ...{ toggleForm, change, save, setActive },
  };
}

export function isPaused({ link }: ManagedLink): boolean {
  return statusOf(link) === 'inactive';
}
