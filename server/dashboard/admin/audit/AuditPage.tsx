import { useSignal } from '@preact/signals';
import type { AuditEntry } from '../../../../shared/admin/audit.ts';
import { formatDate } from '../../../../shared/i18n/format-time.ts';
import { formatCount } from '../../../../shared/i18n/plural.ts';
import { t } from '../../../../shared/i18n/translate.ts';
import type { AdminPageProps } from '../admin.ts';
import { type Column, Table, useList } from '../parts/Table.tsx';

/** Renders what administrators did. */
export function AuditPage({ admin }: AdminPageProps) {
  const damagedLines = useSignal(0);
  const { list } = useList(admin, async (client, cursor) => {
    const result = await client.listAuditEntries({ cursor });
    if (result.ok) {
      const before = cursor === undefined ? 0 : damagedLines.peek();
      damagedLines.value = before + result.data.damagedLines;
    }
    return result;
  });
  return (
    <>
      <p class="intro">{t('admin_audit_hint')}</p>
      <p role="status" class={damagedLines.value > 0 ? 'warning' : undefined}>
        {damagedLines.value > 0 && formatCount('admin_damaged', damagedLines.value)}
      </p>
      <Table
        list={list}
        label={t('admin_audit')}
        columns={columns()}
        keyOf={(entry) => JSON.stringify(entry)}
        empty={t('admin_audit_none')}
      />
    </>
  );
}

/** Actions and details are those of the API, in English. */
function columns(): Column<AuditEntry>[] {
  return [
    { label: t('admin_time'), cell: ({ time }) => formatDate(time) },
    {
      label: t('admin_action'),
      cell: ({ action, failed }) => (
        <bdi dir="ltr">{failed === undefined ? action : `${action}: ${failed}`}</bdi>
      ),
    },
    {
      label: t('admin_concerns'),
      cell: ({ target }) => <bdi dir="ltr">{target}</bdi>,
      look: 'long',
    },
    {
      label: t('admin_details'),
      cell: ({ details }) => <Details details={details} />,
      look: 'long',
    },
    { label: t('admin_by'), cell: ({ by }) => <bdi>{by ?? 'ADMIN_TOKEN'}</bdi> },
  ];
}

function Details({ details }: Pick<AuditEntry, 'details'>) {
  const isEmpty = Object.keys(details).length === 0;
  return <bdi dir="ltr">{isEmpty ? '' : JSON.stringify(details)}</bdi>;
}
