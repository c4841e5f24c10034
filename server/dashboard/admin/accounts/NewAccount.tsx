import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { FailureText } from '../../../../shared/i18n/failure-text.ts';
import { t } from '../../../../shared/i18n/translate.ts';
import { ACCOUNT_NAME_MAX_CHARACTERS } from '../../../../shared/limits.ts';
import { FailureNote } from '../../../../shared/ui/FailureNote.tsx';
import { Form } from '../../../../shared/ui/Form.tsx';
import { InputField } from '../../../../shared/ui/InputField.tsx';
import { CreatedToken } from '../../account/tokens/CreatedToken.tsx';
import type { Admin } from '../admin.ts';
import { adminFailure } from '../parts/admin-failure.ts';
import { useOneAtATime } from '../parts/one-at-a-time.ts';
import { QuotaField } from './QuotaField.tsx';
import { createQuotaInput } from './quota.ts';

/** Creates an account for somebody, and shows its token once. */
export function NewAccount({ admin, onCreated }: { admin: Admin; onCreated(): Promise<void> }) {
  const name = useSignal('');
  const quota = useMemo(() => createQuotaInput(null), []);
  const issue = useSignal<string | undefined>(undefined);
  const failure = useSignal<FailureText | undefined>(undefined);
  const created = useSignal<{ token: string; name: string; id: string } | undefined>(undefined);

  const create = useOneAtATime(async () => {
    const monthlyQuota = quota.read();
    issue.value = name.value.trim() === '' ? t('admin_name_missing') : undefined;
    if (issue.value || monthlyQuota === undefined) return;
    const body = { name: name.value, monthlyQuota };
    const result = await admin.api.call((client) => client.createAccount(body));
    failure.value = result.ok ? undefined : adminFailure(result, admin.origin);
    if (!result.ok) return;
    created.value = result.data;
    name.value = '';
    await onCreated();
  });

  return (
    <section class="card" aria-labelledby="new-account-heading">
      <h2 id="new-account-heading" tabIndex={-1}>
        {t('admin_new_account')}
      </h2>
      <FailureNote failure={failure.value} />
      <Form class="rows" onSubmit={create}>
        <div class="form-line">
          <InputField
            label={t('field_token_name')}
            hint={t('admin_name_hint')}
            issue={issue.value}
            name="account-name"
            value={name.value}
            onInput={(event) => {
              name.value = event.currentTarget.value;
              issue.value = undefined;
            }}
            maxLength={ACCOUNT_NAME_MAX_CHARACTERS}
          />
          <QuotaField input={quota} />
        </div>
        <div class="buttons">
          <button type="submit" class="button primary">
            {t('admin_create_account')}
          </button>
        </div>
      </Form>
      <CreatedToken created={created} origin={admin.origin} />
    </section>
  );
}
