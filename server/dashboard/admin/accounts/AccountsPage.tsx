import { useSignal } from '@preact/signals';
import type { AdminAccount } from '../../../../shared/admin/accounts.ts';
import { formatDay } from '../../../../shared/i18n/format-time.ts';
import { formatNumber } from '../../../../shared/i18n/plural.ts';
import { t } from '../../../../shared/i18n/translate.ts';
import { InputField } from '../../../../shared/ui/InputField.tsx';
import type { AdminPageProps } from '../admin.ts';
import { useList } from '../parts/list.ts';
import { SearchForm } from '../parts/SearchForm.tsx';
import { type Column, Table } from '../parts/Table.tsx';
import { accountPath } from './account-path.ts';
import { accountName, quotaText, stateText } from './account-texts.ts';
import { NewAccount } from './NewAccount.tsx';

/** All accounts, and a form for a new one. */
export function AccountsPage({ admin }: AdminPageProps) {
  const words = useSignal('');
  /** What the list was last asked for. */
  const shownWords = useSignal('');
  const { list } = useList(admin, (client, cursor) =>
    client.listAccounts({ cursor, q: shownWords.value }),
  );
  return (
    <>
      <SearchForm
        onSearch={() => {
          shownWords.value = words.value;
          return list.refresh();
        }}
      >
        <InputField
          label={t('admin_search_accounts')}
          type="search"
          name="words"
          value={words.value}
          onInput={(event) => {
            words.value = event.currentTarget.value;
          }}
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
