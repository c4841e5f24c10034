import { useRef } from 'preact/hooks';
import { failureText } from '../../../shared/i18n/failure-text.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { Field } from '../../../shared/ui/Field.tsx';
import { Icon } from '../../../shared/ui/Icon.tsx';
import { FailureNote } from '../app/FailureNote.tsx';
import { CreateOptions } from './CreateOptions.tsx';
import type { CreateState } from './create-state.ts';

/** Stands for text in a number field that isn't a number. */
const NOT_A_NUMBER = '?';

/** The URL and one button, with every option of the endpoint below. */
export function CreateForm({ state, origin }: { state: CreateState; origin: string }) {
  const form = useRef<HTMLFormElement>(null);
  const failure = state.failure.value;
  const issues = state.issues.value;
  const isAtField = Object.keys(issues).length > 0;

  async function submit(): Promise<void> {
    // A number field with other text has an empty value: the wait would silently be left out.
    const wait = form.current?.querySelector<HTMLInputElement>('[name=wait]');
    await state.submit(wait?.validity.badInput ? { waitSeconds: NOT_A_NUMBER } : {});
    requestAnimationFrame(() => focusFirstIssue(form.current));
  }

  return (
    <form
      class="card"
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <Field label={t('field_new_url')} issue={issues.url}>
        {(control) => (
          <input
            {...control}
            class="input"
            name="url"
            inputMode="url"
            dir="ltr"
            value={state.url.value}
            onInput={(event) => state.setUrl(event.currentTarget.value)}
            autocomplete="off"
            autocapitalize="off"
            spellcheck={false}
          />
        )}
      </Field>
      <FailureNote failure={failure && !isAtField ? failureText(failure, origin) : undefined} />
      {failure?.suggestions && failure.suggestions.length > 0 && (
        <fieldset class="suggestions" aria-label={t('available_aliases')}>
          {failure.suggestions.map((alias) => (
            <button
              type="button"
              class="button chip"
              key={alias}
              aria-label={t('use_alias', alias)}
              onClick={() => state.change('alias', alias)}
            >
              {alias}
            </button>
          ))}
        </fieldset>
      )}
      <div class="buttons">
        <button type="submit" class="button primary" aria-disabled={state.isBusy.value}>
          {t(state.isBusy.value ? 'working' : 'shorten_and_copy')}
        </button>
      </div>
      <details class="advanced">
        <summary>
          <Icon name="chevron" />
          {t('options')}
        </summary>
        <CreateOptions state={state} origin={origin} />
      </details>
    </form>
  );
}

/** Moves the focus to the first invalid field, which may be out of view. */
function focusFirstIssue(form: HTMLFormElement | null): void {
  const invalid = form?.querySelector<HTMLElement>('[aria-invalid="true"]');
  const closed = invalid?.closest('details');
  if (closed) closed.open = true;
  invalid?.focus();
}
