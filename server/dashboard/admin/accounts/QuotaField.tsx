import { useId } from 'preact/hooks';
import { t } from '../../../../shared/i18n/translate.ts';
import { InputField } from '../../../../shared/ui/InputField.tsx';
import type { QuotaInput } from './quota.ts';

/** Links a month. */
export function QuotaField({ input }: { input: QuotaInput }) {
  const id = useId();
  return (
    <div class="rows">
      <InputField
        label={t('admin_quota')}
        hint={t('admin_quota_hint')}
        issue={input.issue.value}
        inputMode="numeric"
        name="quota"
        value={input.text.value}
        disabled={input.isUnlimited.value}
        onInput={(event) => {
          input.text.value = event.currentTarget.value;
          input.issue.value = undefined;
        }}
      />
      <div class="toggle">
        <input
          type="checkbox"
          id={id}
          name="unlimited"
          checked={input.isUnlimited.value}
          onChange={(event) => {
            input.isUnlimited.value = event.currentTarget.checked;
            input.issue.value = undefined;
          }}
        />
        <label class="label" for={id}>
          {t('quota_unlimited')}
        </label>
      </div>
    </div>
  );
}
