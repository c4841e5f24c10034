import type { TokenInfo } from '../../../../shared/accounts/account-tokens.ts';
import { t } from '../../../../shared/i18n/translate.ts';
import { TOKEN_NAME_MAX_CHARACTERS } from '../../../../shared/limits.ts';
import { Field } from '../../../../shared/ui/Field.tsx';
import { Form } from '../../../../shared/ui/Form.tsx';
import { InputField } from '../../../../shared/ui/InputField.tsx';
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
          <Field label={t('field_token_scope')}>
            {(control) => (
              <select
                {...control}
                class="input"
                value={state.scope.value}
                onChange={(event) =>
                  state.setScope(event.currentTarget.value as TokenInfo['scope'])
                }
              >
                {SCOPES.map((scope) => (
                  <option key={scope} value={scope}>
                    {t(SCOPE_LABELS[scope])}
                  </option>
                ))}
              </select>
            )}
          </Field>
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
