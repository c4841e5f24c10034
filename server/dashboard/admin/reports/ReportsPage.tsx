import type { ReportedLink } from '../../../../shared/admin/reports.ts';
import { formatDay } from '../../../../shared/i18n/format-time.ts';
import { formatNumber } from '../../../../shared/i18n/plural.ts';
import { t } from '../../../../shared/i18n/translate.ts';
import { pathNameOf } from '../../app/path-name.ts';
import type { AdminPageProps } from '../admin.ts';
import { ActionNotice } from '../parts/actions.tsx';
import { BlockButton } from '../parts/BlockButton.tsx';
import { ConfirmAction } from '../parts/ConfirmAction.tsx';
import { type Column, Table, useList } from '../parts/Table.tsx';

/** Renders the links that visitors reported: each is blocked, or its reports are dismissed. */
export function ReportsPage({ admin }: AdminPageProps) {
  const { list, actions } = useList(admin, (client, cursor) => client.listReports({ cursor }));

  const columns: Column<ReportedLink>[] = [
    {
      label: t('sort_alias'),
      // Where it leads, without going there.
      cell: ({ link: { alias, shortUrl } }) => (
        <a href={`${shortUrl}+`} target="_blank" rel="noreferrer" dir="ltr">
          {alias}
        </a>
      ),
    },
    {
      label: t('field_target'),
      cell: ({ link }) => <bdi dir="ltr">{link.targetUrl}</bdi>,
      look: 'long',
    },
    { label: t('admin_reports'), cell: ({ count }) => formatNumber(count), look: 'number' },
    {
      label: t('admin_reason'),
      cell: ({ reports }) => <Reasons reports={reports} />,
      look: 'long',
    },
    {
      label: t('admin_action'),
      cell: ({ link, count }) => (
        <div class="buttons">
          <BlockButton
            admin={admin}
            actions={actions}
            blocked={{ kind: 'link', value: pathNameOf(link, location.origin) }}
          />
          <ConfirmAction
            label={t('admin_dismiss')}
            ariaLabel={t('label_of', t('admin_dismiss'), link.alias)}
            title={t('admin_dismiss_question', link.alias)}
            confirm={t('admin_dismiss_confirm')}
            consequences={() => [t('admin_dismiss_text', formatNumber(count)), t('admin_final')]}
            onConfirm={() =>
              actions.run(
                (client) => client.dismissReports(pathNameOf(link, location.origin)),
                t('admin_dismissed', link.alias),
              )
            }
          />
        </div>
      ),
    },
  ];

  return (
    <>
      <ActionNotice actions={actions} />
      <Table
        list={list}
        label={t('admin_reports')}
        columns={columns}
        keyOf={({ link }) => link.id}
        empty={t('admin_reports_none')}
      />
    </>
  );
}

/** What visitors say, newest first, and how to reach them. */
function Reasons({ reports }: Pick<ReportedLink, 'reports'>) {
  return (
    <ul class="list">
      {reports.map(({ time, reason, contact }, index) => (
        // Two reports can be the same.
        <li key={index}>
          <bdi>{reason}</bdi>
          <p class="hint">
            {formatDay(time)} <bdi>{contact}</bdi>
          </p>
        </li>
      ))}
    </ul>
  );
}
