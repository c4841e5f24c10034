import type { AdminDomain } from '../../../../shared/admin/domains.ts';
import { formatDay } from '../../../../shared/i18n/format-time.ts';
import { t } from '../../../../shared/i18n/translate.ts';
import type { AdminPageProps } from '../admin.ts';
import { ActionNotice } from '../parts/ActionNotice.tsx';
import { allInOne, useList } from '../parts/list.ts';
import { type Column, Table } from '../parts/Table.tsx';
import { accountsText, domainPath, stateText } from './domain-texts.ts';
import { NewDomain } from './NewDomain.tsx';

/** The domains of short URLs, and a form for more. */
export function DomainsPage({ admin }: AdminPageProps) {
  const { list, actions } = useList(admin, async (client) => allInOne(await client.listDomains()));
  return (
    <>
      <ActionNotice actions={actions} />
      <Table
        list={list}
        label={t('admin_domains')}
        columns={columns()}
        keyOf={({ host }) => host}
        empty={t('admin_none')}
      />
      <NewDomain actions={actions} />
    </>
  );
}

function columns(): Column<AdminDomain>[] {
  return [
    {
      label: t('admin_kind_host'),
      cell: ({ host, displayHost, isDefault }) =>
        isDefault ? (
          <bdi dir="ltr">{displayHost}</bdi>
        ) : (
          <a href={domainPath(host)} dir="ltr">
            {displayHost}
          </a>
        ),
    },
    { label: t('filter_status'), cell: stateText },
    { label: t('field_token_name'), cell: ({ brand }) => <bdi>{brand?.name}</bdi> },
    { label: t('admin_accounts'), cell: accountsText, look: 'number' },
    { label: t('admin_created'), cell: ({ created }) => created && formatDay(created) },
  ];
}
