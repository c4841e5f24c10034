import { failureText } from '../../../shared/i18n/failure-text.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { Disclosure } from '../../../shared/ui/Disclosure.tsx';
import { DraftNote } from '../../../shared/ui/DraftNote.tsx';
import { FailureNote } from '../../../shared/ui/FailureNote.tsx';
import { Form } from '../../../shared/ui/Form.tsx';
import { InputField } from '../../../shared/ui/InputField.tsx';
import { AliasSuggestions } from '../../../shared/ui/link-form/AliasSuggestions.tsx';
import { focusFirstIssue } from '../../../shared/ui/link-form/focus-first-issue.ts';
import { readCorrections } from '../../../shared/ui/link-form/read-corrections.ts';
import { CreateOptions } from './CreateOptions.tsx';
import type { CreateState } from './create-state.ts';

/** The URL and one button, with every option of the endpoint below. */
export function CreateForm({ state, origin }: { state: CreateState; origin: string }) {
  const failure = state.failure.value;
  const issues = state.issues.value;

  return (
    <Form
      class="card"
      onSubmit={(form) => {
        const submitted = state.submit(readCorrections(form));
        void submitted.then(() => requestAnimationFrame(() => focusFirstIssue(form)));
      }}
    >
      <DraftNote isShown={state.isRestored.value} onDiscard={state.discard} />
      <InputField
        label={t('field_target')}
        issue={issues.url}
        name="url"
        isUrl
        value={state.url.value}
        onInput={(event) => state.setUrl(event.currentTarget.value)}
      />
      <FailureNote
        failure={failure && !failure.isMarked ? failureText(failure, origin) : undefined}
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
      <p class="note" role="status">
        {state.isSlow.value && t('still_working')}
      </p>
      <Disclosure label={t('options')} isOpen={state.isRestored.value}>
        <CreateOptions state={state} origin={origin} />
      </Disclosure>
    </Form>
  );
}
