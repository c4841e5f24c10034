import { t } from '../../../../shared/i18n/translate.ts';
import { TOKEN_NAME_MAX_CHARACTERS } from '../../../../shared/limits.ts';
import { Form } from '../../../../shared/ui/Form.tsx';
import { InputField } from '../../../../shared/ui/InputField.tsx';
import { SelectField } from '../../../../shared/ui/SelectField.tsx';
import { CreatedToken } from './CreatedToken.tsx';
import { SCOPE_LABELS, SCOPES } from './scope-labels.ts';
import type { TokensState } from './tokens-state.ts';

/** Creates a named token, and shows it once. */
export function NewTokenForm({ state, origin }: { state: TokensState; origin: string }) {
  return (
    <>
      <Form class="rows divided" onSubmit={state.create}>
        <h3>{t('token_new_heading')}</h3>
        <div class="form-line">
          <InputField
            label={t('field_token_name')}
            issue={state.nameIssue.value}
            name="token-name"
            value={state.name.value}
            onInput={(event) => state.setName(event.currentTarget.value)}
            maxLength={TOKEN_NAME_MAX_CHARACTERS}
          />
          <SelectField
            label={t('field_token_scope')}
            options={SCOPES.map((value) => ({ value, label: t(SCOPE_LABELS[value]) }))}
            value={state.scope.value}
            onChoose={state.setScope}
          />
        </div>
        <div class="buttons">
          <button type="submit" class="button" aria-disabled={state.isBusy.value}>
            {t('token_create')}
          </button>
        </div>
      </Form>
      <CreatedToken created={state.created} origin={origin} />
    </>
  );
}
