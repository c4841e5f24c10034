import { useEffect, useRef } from 'preact/hooks';
import { t } from '../../../shared/i18n/translate.ts';
import { Field } from '../../../shared/ui/Field.tsx';
import { Form } from '../../../shared/ui/Form.tsx';
import { pasteUrl } from '../../../shared/ui/paste-url.ts';
import type { PopupState } from './state/popup-state.ts';

export type UrlFormProps = {
  state: PopupState;
  /** Whether this form is the popup's only action, as on a page that can't be shortened. */
  isOnlyAction: boolean;
};

/** Shortens any URL that the user types or pastes, whatever the tab shows. */
export function UrlForm({ state, isOnlyAction }: UrlFormProps) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isOnlyAction) input.current?.focus();
  }, [isOnlyAction]);
  const error = state.typedUrlFailure.value?.errorText;

  async function submit(): Promise<void> {
    // So that the first button of the new link can take the focus.
    input.current?.blur();
    await state.shortenTypedUrl();
    if (state.typedUrlFailure.value) input.current?.focus();
  }

  return (
    <Form class="url-form" onSubmit={submit}>
      <Field
        label={t(isOnlyAction ? 'field_url_first' : 'field_url')}
        issue={error && t('title_and_text', error.title, error.text)}
      >
        {(control) => (
          <span class="joined">
            <input
              {...control}
              class="input"
              ref={input}
              type="url"
              dir="ltr"
              value={state.typedUrl.value}
              onPaste={pasteUrl}
              onInput={(event) => state.typeUrl(event.currentTarget.value)}
              autocomplete="off"
              spellcheck={false}
            />
            <button type="submit" class="button" aria-label={t('shorten_this_url')}>
              {t('shorten')}
            </button>
          </span>
        )}
      </Field>
    </Form>
  );
}
