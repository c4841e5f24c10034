import { useRef } from 'preact/hooks';
import { failureText } from '../../../shared/i18n/failure-text.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { FailureNote } from '../../../shared/ui/FailureNote.tsx';
import { Icon } from '../../../shared/ui/Icon.tsx';
import { InputField } from '../../../shared/ui/InputField.tsx';
import { AliasSuggestions } from '../../../shared/ui/link-form/AliasSuggestions.tsx';
import { focusFirstIssue } from '../../../shared/ui/link-form/focus-first-issue.ts';
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
      <InputField
        label={t('field_new_url')}
        issue={issues.url}
        name="url"
        inputMode="url"
        dir="ltr"
        value={state.url.value}
        onInput={(event) => state.setUrl(event.currentTarget.value)}
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
      />
      <FailureNote
        failure={
          failure && !isAtField && failure.code !== 'alias_taken'
            ? failureText(failure, origin)
            : undefined
        }
      />
      <AliasSuggestions
        aliases={failure?.suggestions}
        buttonClass="button chip"
        onChoose={(alias) => state.change('alias', alias)}
      />
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
