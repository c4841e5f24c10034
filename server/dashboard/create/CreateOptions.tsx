import { t } from '../../../shared/i18n/translate.ts';
import {
  DESCRIPTION_MAX_CHARACTERS,
  PASSWORD_MAX_CHARACTERS,
  TITLE_MAX_CHARACTERS,
  WAIT_TIMER_MAX_SECONDS,
} from '../../../shared/limits.ts';
import { Field } from '../../../shared/ui/Field.tsx';
import { InputField } from '../../../shared/ui/InputField.tsx';
import { AliasField } from '../../../shared/ui/link-form/AliasField.tsx';
import { ExpiryFields } from '../../../shared/ui/link-form/ExpiryFields.tsx';
import { PasswordField } from '../../../shared/ui/link-form/PasswordField.tsx';
import type { FieldName } from '../../../shared/ui/link-form/to-request.ts';
import type { CreateState } from './create-state.ts';
import { MoreOptions } from './MoreOptions.tsx';

/** Every option of the endpoint, the most used first. */
export function CreateOptions({ state, origin }: { state: CreateState; origin: string }) {
  const fields = state.fields.value;
  const issues = state.issues.value;
  const change =
    (name: Exclude<FieldName, 'expiryKind' | 'expiryUnit'>) =>
    (event: { currentTarget: { value: string } }) =>
      state.change(name, event.currentTarget.value);
  return (
    <div class="advanced-fields">
      <AliasField
        host={new URL(origin).host}
        hint={t('hint_alias')}
        issue={issues.alias}
        name="alias"
        value={fields.alias}
        onInput={change('alias')}
      />
      <ExpiryFields fields={fields} issues={issues} onChange={state.change} />
      <Field label={t('field_password')} issue={issues.password}>
        {(control) => (
          <PasswordField
            control={control}
            value={fields.password}
            maxLength={PASSWORD_MAX_CHARACTERS}
            onInput={change('password')}
          />
        )}
      </Field>
      <InputField
        label={t('field_title')}
        issue={issues.title}
        name="title"
        dir="auto"
        value={fields.title}
        onInput={change('title')}
        maxLength={TITLE_MAX_CHARACTERS}
      />
      <MoreOptions state={state} />
      <InputField
        label={t('field_wait')}
        hint={t('hint_wait', String(WAIT_TIMER_MAX_SECONDS))}
        issue={issues.waitSeconds}
        class="input short"
        type="number"
        name="wait"
        min={0}
        max={WAIT_TIMER_MAX_SECONDS}
        value={fields.waitSeconds}
        onInput={change('waitSeconds')}
      />
      <Field label={t('field_description')} issue={issues.description}>
        {(control) => (
          <textarea
            {...control}
            class="input"
            dir="auto"
            value={fields.description}
            onInput={change('description')}
            maxLength={DESCRIPTION_MAX_CHARACTERS}
          />
        )}
      </Field>
      <InputField
        label={t('field_container')}
        hint={t('hint_container')}
        issue={issues.container}
        value={fields.container}
        onInput={change('container')}
        autocomplete="off"
        spellcheck={false}
      />
    </div>
  );
}
