import { signal } from '@preact/signals';
import type { AdminAccount } from '../../../../shared/admin/accounts.ts';
import { t } from '../../../../shared/i18n/translate.ts';
import { MONTHLY_QUOTA_MAX } from '../../../../shared/limits.ts';

type Quota = AdminAccount['monthlyQuota'];
export type QuotaInput = ReturnType<typeof createQuotaInput>;

/** The field for a quota: a number, nothing for the server's default, or none. */
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
