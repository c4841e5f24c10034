import { useEffect, useId, useRef } from 'preact/hooks';
import { t } from '../../i18n/translate.ts';
import { Form } from '../Form.tsx';
import { Icon } from '../Icon.tsx';
import { SEARCH_FIELD } from './SearchBar.tsx';
import type { NewLinkState } from './state/new-link.ts';

export type NewLinkBarProps = {
  state: NewLinkState;
  /** The page with the form for a link with options, if there is one. */
  formUrl: string | undefined;
  /** Whether there is nothing else to do. */
  isFirst: boolean;
};

/** A field that shortens a URL at once, and the way to the form with all options. */
export function NewLinkBar({ state, formUrl, isFirst }: NewLinkBarProps) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // Not if somebody is at something else, such as the filters.
    const isFree = document.activeElement?.matches(`body, h1, #${SEARCH_FIELD}`);
    if (isFirst && isFree) field.current?.focus();
  }, [isFirst]);
  const { text, issue, isBusy, isSlow } = state;
  return (
    <div class="new-link">
      <Form
        class="new-link-form"
        onSubmit={async (form) => {
          await state.submit();
          // Not if somebody is at something else by now. A clicked button has no focus in Safari.
          const { activeElement } = document;
          if (form.contains(activeElement) || activeElement === document.body)
            field.current?.focus();
        }}
      >
        <input
          ref={field}
          class="input"
          id={NEW_LINK_FIELD}
          type="text"
          inputMode="url"
          dir="ltr"
          aria-label={t('new_link_field')}
          aria-invalid={issue.value !== undefined}
          aria-describedby={`${id}-issue`}
          placeholder={t('new_link_field')}
          value={text.value}
          onInput={(event) => state.change(event.currentTarget.value)}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
        />
        <button
          type="submit"
          class={formUrl ? 'button' : 'button primary'}
          aria-disabled={isBusy.value}
        >
          {t(isBusy.value ? 'working' : 'shorten')}
        </button>
      </Form>
      {formUrl && (
        <a class="button primary" href={formUrl}>
          <Icon name="add" />
          {t('create_heading')}
        </a>
      )}
      <p class="note" role="status">
        {isSlow.value && t('still_working')}
      </p>
      <p class="issue" id={`${id}-issue`} role="alert">
        {issue.value}
      </p>
    </div>
  );
}

const NEW_LINK_FIELD = 'new-link';

/** @returns whether there is such a field */
export function focusNewLink(): boolean {
  const field = document.getElementById(NEW_LINK_FIELD);
  field?.focus();
  return field !== null;
}
