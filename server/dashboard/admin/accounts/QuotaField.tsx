import { signal } from '@preact/signals';
import { useId } from 'preact/hooks';
import type { AdminAccount } from '../../../../shared/admin/accounts.ts';
import { MONTHLY_QUOTA_MAX } from '../../../../shared/bounds.ts';
import { t } from '../../../../shared/i18n/translate.ts';
import { InputField } from '../../../../shared/ui/Field.tsx';

/** Renders the field for links a month. */
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

type Quota = AdminAccount['monthlyQuota'];
type QuotaInput = ReturnType<typeof createQuotaInput>;

/** Creates the field for a quota: a number, nothing for the server's default, or none. */
export function createQuotaInput(quota: Quota) {
  const text = signal(typeof quota === 'number' ? String(quota) : '');
  const isUnlimited = signal(quota === 'unlimited');
  const issue = signal<string | undefined>(undefined);

  /** @returns undefined if it is not valid, which the field shows then */
  function read(): Quota | undefined {
    if (isUnlimited.value) return 'unlimited';
    const typed = text.value.trim();
    if (typed === '') return null;
    const number = Number(typed);
    const isValid = /^\d+$/.test(typed) && number >= 1 && number <= MONTHLY_QUOTA_MAX;
    issue.value = isValid ? undefined : t('field_max_visits_invalid');
    return isValid ? number : undefined;
  }

  return { text, isUnlimited, issue, read };
}
