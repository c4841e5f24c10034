import type { PageLink } from '../../links/link.ts';
import './form/form.css';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../../../shared/i18n/translate.ts';
import { aliasOf } from '../../../shared/links/link-address.ts';
import { Form } from '../../../shared/ui/Form.tsx';
import { isComposing } from '../../../shared/ui/keys.ts';
import { AliasField, AliasSuggestions } from '../../../shared/ui/link-form/AliasField.tsx';
import { focusFirstIssue } from '../../../shared/ui/link-form/form-issues.ts';
import type { PopupState } from './state/popup-state.ts';

type AliasEditorProps = { link: PageLink; state: PopupState };

/** Renders the alias as a field in the place of the short URL. Enter renames the link and copies it. */
export function AliasEditor({ link, state }: AliasEditorProps) {
  const form = useRef<HTMLFormElement>(null);
  const typed = state.changedFields.value.customAlias;
  const alias = aliasOf(link);
  useLayoutEffect(() => {
    const input = form.current?.querySelector('input');
    input?.focus();
    if (typed === undefined) input?.select();
  }, []);

  async function save(): Promise<void> {
    await state.submitForm();
    requestAnimationFrame(() => focusFirstIssue(form.current));
  }

  return (
    <Form
      class="alias-editor"
      ref={form}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || isComposing(event)) return;
        // It would close the popup.
        event.preventDefault();
        void state.closeForm();
      }}
      onFocusOut={({ currentTarget, relatedTarget }) => {
        const isLeft = !(relatedTarget instanceof Node && currentTarget.contains(relatedTarget));
        if (isLeft && (typed === undefined || typed === alias)) void state.closeForm();
      }}
      onSubmit={save}
    >
      <AliasField
        host={new URL(link.shortUrl).host}
        hint={t('hint_new_alias')}
        name="customAlias"
        issue={state.issues.value.customAlias}
        value={typed ?? alias}
        onInput={(event) => state.changeForm({ customAlias: event.currentTarget.value })}
      />
      <AliasSuggestions
        aliases={state.formFailure.value?.suggestions}
        onChoose={(customAlias) => state.changeForm({ customAlias })}
      />
      <button type="submit" class="button primary" aria-disabled={state.isSubmitting.value}>
        {t(state.isSubmitting.value ? 'saving' : 'rename_and_copy')}
      </button>
    </Form>
  );
}
