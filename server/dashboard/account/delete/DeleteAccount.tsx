import { t } from '../../../../shared/i18n/translate.ts';
import { FailureNote } from '../../../../shared/ui/FailureNote.tsx';
import { Form } from '../../../../shared/ui/Form.tsx';
import { InputField } from '../../../../shared/ui/InputField.tsx';
import { CONFIRMATION, type DeleteState } from './delete-state.ts';

/** Deletes the account and everything in it, after a typed word. */
export function DeleteAccount({ state }: { state: DeleteState }) {
  return (
    <section class="card" aria-labelledby="delete-heading">
      <h2 id="delete-heading">{t('delete_account_heading')}</h2>
      <p class="warning">{t('delete_account_text')}</p>
      <Form class="rows" onSubmit={state.submit}>
        <InputField
          label={t('field_delete_account', CONFIRMATION)}
          issue={state.issue.value}
          class="input short"
          name="delete-account"
          isCode
          value={state.typed.value}
          onInput={(event) => state.type(event.currentTarget.value)}
        />
        <div class="buttons">
          <button type="submit" class="button danger" aria-disabled={state.isBusy.value}>
            {t('delete_account')}
          </button>
        </div>
        <FailureNote failure={state.failure.value} />
      </Form>
    </section>
  );
}
