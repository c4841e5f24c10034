import type { Block } from '../../../../shared/admin/blocks.ts';
import { formatDay } from '../../../../shared/i18n/format-time.ts';
import { t } from '../../../../shared/i18n/translate.ts';
import { accountPath } from '../accounts/account-path.ts';
import type { AdminPageProps } from '../admin.ts';
import { ActionNotice } from '../parts/ActionNotice.tsx';
import { UnblockButton } from '../parts/BlockButton.tsx';
import { allInOne, useList } from '../parts/list.ts';
import { type Column, Table } from '../parts/Table.tsx';
import { KIND_LABELS } from './kind-labels.ts';
import { NewBlock } from './NewBlock.tsx';

/** What is blocked, and a form for more. */
export function BlocksPage({ admin }: AdminPageProps) {
  const { list, actions } = useList(admin, async (client) => allInOne(await client.listBlocks()));

  const columns: Column<Block>[] = [
    {
      label: t('admin_value'),
      cell: ({ kind, value }) =>
        kind === 'account' ? (
          <a href={accountPath(value)}>{value}</a>
        ) : (
          <bdi dir="ltr">{value}</bdi>
        ),
    },
    { label: t('admin_kind'), cell: ({ kind }) => t(KIND_LABELS[kind]) },
    { label: t('admin_reason'), cell: ({ reason }) => <bdi>{reason}</bdi>, look: 'long' },
    { label: t('admin_since'), cell: ({ since }) => formatDay(since) },
    {
      label: t('admin_action'),
      cell: ({ kind, value, reason }) => (
        <UnblockButton admin={admin} actions={actions} blocked={{ kind, value }} reason={reason} />
      ),
    },
  ];

  return (
    <>
      <ActionNotice actions={actions} />
      <Table
        list={list}
        label={t('admin_blocks')}
        columns={columns}
        keyOf={({ kind, value }) => `${kind} ${value}`}
        empty={t('admin_blocks_none')}
      />
      <NewBlock admin={admin} actions={actions} />
    </>
  );
}
