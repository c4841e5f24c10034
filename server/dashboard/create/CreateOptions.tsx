import { t } from '../../../shared/i18n/translate.ts';
import { AliasField } from '../../../shared/ui/link-form/AliasField.tsx';
import { ContainerField } from '../../../shared/ui/link-form/ContainerField.tsx';
import { DescriptionField } from '../../../shared/ui/link-form/DescriptionField.tsx';
import { ExpiryFields } from '../../../shared/ui/link-form/ExpiryFields.tsx';
import { optionsOf } from '../../../shared/ui/link-form/option-field.ts';
import { PasswordField } from '../../../shared/ui/link-form/PasswordField.tsx';
import { TitleField } from '../../../shared/ui/link-form/TitleField.tsx';
import { WaitField } from '../../../shared/ui/link-form/WaitField.tsx';
import type { CreateState } from './create-state.ts';
import { MoreOptions } from './MoreOptions.tsx';

/** Every option of the endpoint, the most used first. */
export function CreateOptions({ state, origin }: { state: CreateState; origin: string }) {
  const fields = state.fields.value;
  const issues = state.issues.value;
  const option = optionsOf(fields, issues, state.change);
  return (
    <div class="advanced-fields">
      <AliasField host={new URL(origin).host} hint={t('hint_alias')} {...option('alias')} />
      <ExpiryFields fields={fields} issues={issues} onChange={state.change} />
      <PasswordField {...option('password')} />
      <TitleField {...option('title')} />
      <MoreOptions state={state} />
      <WaitField {...option('waitSeconds')} />
      <DescriptionField {...option('description')} />
      <ContainerField {...option('container')} />
    </div>
  );
}
