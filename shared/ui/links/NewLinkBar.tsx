import { useEffect, useId, useRef } from 'preact/hooks';
import { t } from '../../i18n/translate.ts';
import { Form } from '../Form.tsx';
import { Icon } from '../Icon.tsx';
import { hasKeyboard } from '../keys.ts';
import { UrlInput } from '../UrlInput.tsx';
import { NEW_LINK_FIELD, SEARCH_FIELD } from './focus.ts';
import type { NewLinkState } from './state/links-state.ts';

type NewLinkBarProps = {
  state: NewLinkState;
  /** The page with the form for a link with options, if there is one. */
  formUrl: string | undefined;
  /** Whether there is nothing else to do. */
  isFirst: boolean;
};

/** The page with the form, which has what was typed here. */
function withUrl(formUrl: string, url: string): string {
  return url === '' ? formUrl : `${formUrl}?${new URLSearchParams({ url })}`;
}

/** Renders a field that shortens a URL at once, and the way to the form with all options. */
export function NewLinkBar({ state, formUrl, isFirst }: NewLinkBarProps) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // Not if somebody is at something else, such as the filters.
    const isFree = document.activeElement?.matches(`body, h1, #${SEARCH_FIELD}`);
    if (isFirst && isFree && hasKeyboard()) field.current?.focus();
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
        <UrlInput
          ref={field}
          id={NEW_LINK_FIELD}
          // Empty, it has the direction of the placeholder.
          dir={text.value ? 'ltr' : undefined}
          aria-label={t('new_link_field')}
          aria-invalid={issue.value !== undefined}
          aria-describedby={`${id}-issue`}
          placeholder={t('new_link_field')}
          value={text.value}
          onInput={(event) => state.change(event.currentTarget.value)}
        />
        <button type="submit" class="button primary" aria-disabled={isBusy.value}>
          {t(isBusy.value ? 'working' : 'shorten')}
        </button>
      </Form>
      {formUrl && (
        <a
          class="button"
          href={withUrl(formUrl, text.value.trim())}
          aria-label={t('options')}
          title={t('create_heading')}
        >
          <Icon name="settings" />
          <span class="new-link-options">{t('options')}</span>
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
