import { useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../../../i18n/translate.ts';
import { withoutProtocol } from '../../../links/link-address.ts';
import type { LinkRecord } from '../../../links/link-record.ts';
import type { DomainChoice } from '../../DomainSelect.tsx';
import { DraftNote, LinkFormFrame } from '../../link-form/LinkFormFrame.tsx';
import type { EditState } from '../state/edit-state.ts';
import type { LinksState } from '../state/links-state.ts';
import { ConflictDialog } from './ConflictDialog.tsx';

/** Renders the form for a link, above the list. The focus returns to where it was when it closes. */
export function LinkEditor({ state: list }: { state: LinksState }) {
  const editing = list.changes.value?.editing;
  return editing ? <EditorDialog list={list} state={editing} /> : null;
}

function EditorDialog({ list, state }: { list: LinksState; state: EditState }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const link = state.edited.value;
  useLayoutEffect(() => {
    if (link) dialog.current?.showModal();
    else dialog.current?.close();
  }, [link]);
  return (
    <dialog
      ref={dialog}
      class="dialog link-editor-dialog"
      aria-labelledby="editor-title"
      onClose={() => {
        // The event comes later: the form may be open again.
        if (!dialog.current?.open) state.leave();
      }}
    >
      {link && (
        <>
          <h2 id="editor-title">
            {t('link_edit')} <bdi dir="ltr">{withoutProtocol(link.shortUrl)}</bdi>
          </h2>
          <Form
            key={link.id}
            state={state}
            link={link}
            knownTags={list.knownTags.value}
            domains={list.domains.value}
          />
          <ConflictDialog state={state} />
        </>
      )}
    </dialog>
  );
}

type FormProps = {
  state: EditState;
  link: LinkRecord;
  knownTags: string[];
  domains: DomainChoice[];
};

function Form({ state, link, knownTags, domains }: FormProps) {
  const form = state.form.value;
  const { protocol } = new URL(link.shortUrl);
  return (
    <LinkFormFrame
      label={t('link_edit')}
      focusedField="originalUrl"
      start={<DraftNote isShown={state.isRestored.value} onDiscard={state.discard} />}
      form={form}
      issues={state.issues.value}
      onChange={state.change}
      link={link}
      host={form.domain}
      domains={domains}
      suggestions={state.failure.value?.suggestions}
      knownTags={knownTags}
      abilities={state.abilities}
      shortUrl={`${protocol}//${form.domain}/${form.customAlias.trim()}`}
      onSubmit={state.save}
      end={<SaveBar state={state} />}
    />
  );
}

/** Why saving failed, and the buttons of the form. */
function SaveBar({ state }: { state: EditState }) {
  const failure = state.failure.value;
  const isAtFields = failure?.isMarked && failure.code === 'invalid_request';
  return (
    <div class="save-bar">
      <p role="alert">{isAtFields ? t('invalid_request_text') : failure?.text}</p>
      <button type="submit" class="button primary" aria-disabled={state.isSaving.value}>
        {t(state.isSaving.value ? 'saving' : 'save')}
      </button>
      <button type="button" class="button" onClick={state.close}>
        {t('cancel')}
      </button>
    </div>
  );
}
