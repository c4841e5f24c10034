import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { AdminAccount } from '../../../../shared/admin/accounts.ts';
import type { FailureText } from '../../../../shared/i18n/failure-text.ts';
import { formatDay } from '../../../../shared/i18n/format-time.ts';
import { formatNumber } from '../../../../shared/i18n/plural.ts';
import { t } from '../../../../shared/i18n/translate.ts';
import { ACCOUNT_NAME_MAX_CHARACTERS } from '../../../../shared/limits.ts';
import { FailureNote } from '../../../../shared/ui/FailureNote.tsx';
import { InputField } from '../../../../shared/ui/Field.tsx';
import { Form } from '../../../../shared/ui/Form.tsx';
import { type CreatedKey, CreatedToken } from '../../account/NewToken.tsx';
import type { Admin, AdminPageProps } from '../admin.ts';
import { adminFailure } from '../parts/actions.tsx';
import { useOneAtATime } from '../parts/ConfirmAction.tsx';
import { type Column, SearchForm, Table, useList } from '../parts/Table.tsx';
import { needed, useTyped } from '../parts/typed.ts';
import { accountName, accountPath, quotaText, stateText } from './account-texts.ts';
import { createQuotaInput, QuotaField } from './QuotaField.tsx';

/** Renders all accounts, and a form for a new one. */
export function AccountsPage({ admin }: AdminPageProps) {
  const words = useTyped();
  /** What the list was last asked for. */
  const shownWords = useSignal('');
  const { list } = useList(admin, (client, cursor) =>
    client.listAccounts({ cursor, q: shownWords.value }),
  );
  return (
    <>
      <SearchForm
        onSearch={() => {
          shownWords.value = words.text;
          return list.refresh();
        }}
      >
        <InputField
          label={t('admin_search_accounts')}
          type="search"
          name="words"
          {...words.field}
        />
      </SearchForm>
      <Table
        list={list}
        label={t('admin_accounts')}
        columns={columns()}
        keyOf={({ id }) => id}
        empty={t('admin_none')}
      />
      <NewAccount admin={admin} onCreated={list.refresh} />
    </>
  );
}

function columns(): Column<AdminAccount>[] {
  return [
    {
      label: t('field_token_name'),
      cell: (account) => (
        <a href={accountPath(account.id)} dir="auto">
          {accountName(account)}
        </a>
      ),
    },
    { label: t('filter_status'), cell: stateText },
    { label: t('usage_links'), cell: ({ links }) => formatNumber(links), look: 'number' },
    {
      label: t('limit_month'),
      cell: ({ linksThisMonth }) => formatNumber(linksThisMonth),
      look: 'number',
    },
    { label: t('admin_quota'), cell: quotaText, look: 'number' },
    { label: t('admin_created'), cell: ({ created }) => formatDay(created) },
  ];
}

/** Creates an account for somebody, and shows its token once. */
function NewAccount({ admin, onCreated }: { admin: Admin; onCreated(): Promise<void> }) {
  const name = useTyped(needed('admin_name_missing'));
  const quota = useMemo(() => createQuotaInput(null), []);
  const failure = useSignal<FailureText | undefined>(undefined);
  const created = useSignal<CreatedKey | undefined>(undefined);

  const create = useOneAtATime(async () => {
    const monthlyQuota = quota.read();
    if (!name.check() || monthlyQuota === undefined) return;
    const body = { name: name.text, monthlyQuota };
    const result = await admin.api.call((client) => client.createAccount(body));
    failure.value = result.ok ? undefined : adminFailure(result, admin.origin);
    if (!result.ok) return;
    created.value = { ...result.data, scope: 'all' };
    name.clear();
    void onCreated();
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
