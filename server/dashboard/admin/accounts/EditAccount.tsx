import { signal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { AdminAccount, EditAccountRequest } from '../../../../shared/admin/accounts.ts';
import { t } from '../../../../shared/i18n/translate.ts';
import { ACCOUNT_NAME_MAX_CHARACTERS } from '../../../../shared/limits.ts';
import { Form } from '../../../../shared/ui/Form.tsx';
import { InputField } from '../../../../shared/ui/InputField.tsx';
import type { Actions } from '../parts/actions.ts';
import { QuotaField } from './QuotaField.tsx';
import { createQuotaInput } from './quota.ts';

export type EditAccountProps = { account: AdminAccount; actions: Actions };

/** Name and quota. Nobody but its owner notices, and it can be undone: so it asks nothing. */
export function EditAccount({ account, actions }: EditAccountProps) {
  const { id, name, monthlyQuota } = account;
  const typed = useMemo(() => signal(name), [name]);
  const quota = useMemo(() => createQuotaInput(monthlyQuota), [monthlyQuota]);

  async function save(): Promise<void> {
    const newQuota = quota.read();
    if (newQuota === undefined) return;
    const newName = typed.value.trim();
    const edit: EditAccountRequest = {};
    const before: EditAccountRequest = {};
    if (newQuota !== monthlyQuota) {
      edit.monthlyQuota = newQuota;
      before.monthlyQuota = monthlyQuota;
    }
    if (newName !== '' && newName !== name) {
      edit.name = newName;
      // No account can lose its name again.
      if (name !== '') before.name = name;
    }
    const hasUndo = Object.keys(before).length > 0;
    await actions.run(
      (client) => client.editAccount(id, edit),
      t('saved'),
      hasUndo ? (client) => client.editAccount(id, before) : undefined,
    );
  }

  return (
    <section class="card" aria-labelledby="edit-heading">
      <h2 id="edit-heading" tabIndex={-1}>
        {t('admin_edit')}
      </h2>
      <Form class="rows" onSubmit={save}>
        <div class="form-line">
          <InputField
            label={t('field_token_name')}
            name="account-name"
            value={typed.value}
            onInput={(event) => {
              typed.value = event.currentTarget.value;
            }}
            maxLength={ACCOUNT_NAME_MAX_CHARACTERS}
          />
          <QuotaField input={quota} />
        </div>
        <div class="buttons">
          <button type="submit" class="button">
            {t('save')}
          </button>
        </div>
      </Form>
    </section>
  );
}
