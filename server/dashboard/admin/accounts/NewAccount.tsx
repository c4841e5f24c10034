import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { ACCOUNT_NAME_MAX_CHARACTERS } from '../../../../shared/bounds.ts';
import type { FailureText } from '../../../../shared/i18n/failure-text.ts';
import { t } from '../../../../shared/i18n/translate.ts';
import { FailureNote } from '../../../../shared/ui/FailureNote.tsx';
import { InputField } from '../../../../shared/ui/Field.tsx';
import { Form } from '../../../../shared/ui/Form.tsx';
import { type CreatedKey, CreatedToken } from '../../account/NewToken.tsx';
import type { ListFormProps } from '../lists/ListPage.tsx';
import { adminFailure } from '../parts/actions.tsx';
import { useOneAtATime } from '../parts/ConfirmAction.tsx';
import { needed, useTyped } from '../parts/typed.ts';
import { createQuotaInput, QuotaField } from './QuotaField.tsx';

/** Creates an account for somebody, and shows its token once. */
export function NewAccount({ admin, refresh }: ListFormProps) {
  const name = useTyped(needed('admin_name_missing'));
  const quota = useMemo(() => createQuotaInput(null), []);
  const failure = useSignal<FailureText | undefined>(undefined);
  const created = useSignal<CreatedKey | undefined>(undefined);

  const create = useOneAtATime(async () => {
    const monthlyQuota = quota.read();
    if (!name.check() || monthlyQuota === undefined) return;
    const body = { name: name.text, monthlyQuota };
    const result = await admin.api.call((client) => client.adminCreateAccount({ body }));
    failure.value = result.ok ? undefined : adminFailure(result, admin.origin);
    if (!result.ok) return;
    created.value = { ...result.data, scope: 'all' };
    name.clear();
    void refresh();
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
            {...name.field}
            name="account-name"
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
