import type { AdminAccount } from '../../../../shared/admin/accounts.ts';
import type { AuditEntry } from '../../../../shared/admin/audit.ts';
import type { Block } from '../../../../shared/admin/blocks.ts';
import type { AdminDomain } from '../../../../shared/admin/domains.ts';
import type { AdminLink } from '../../../../shared/admin/links.ts';
import type { ReportedLink } from '../../../../shared/admin/reports.ts';
import type { Result } from '../../../../shared/client.ts';
import { formatDate, formatDay } from '../../../../shared/i18n/format-time.ts';
import { formatNumber } from '../../../../shared/i18n/plural.ts';
import { t } from '../../../../shared/i18n/translate.ts';
import { linkAt } from '../../../../shared/links/link-address.ts';
import { STATUS_TEXTS } from '../../../../shared/ui/links/link-texts.ts';
import { pathNameOf } from '../../app/path-name.ts';
import { accountName, accountPath, quotaText, stateText } from '../accounts/account-texts.ts';
import { NewAccount } from '../accounts/NewAccount.tsx';
import { KIND_LABELS, NewBlock } from '../blocks/NewBlock.tsx';
import { accountsText, domainPath, stateText as domainStateText } from '../domains/domain-texts.ts';
import { NewDomain } from '../domains/NewDomain.tsx';
import { BlockButton, UnblockButton } from '../parts/BlockButton.tsx';
import { ConfirmAction } from '../parts/ConfirmAction.tsx';
import { listPage } from './ListPage.tsx';
import type { ListContext, ListRows } from './Table.tsx';

export const AccountsPage = listPage<AdminAccount>({
  title: 'admin_accounts',
  empty: 'admin_none',
  read: (client, query) => client.adminListAccounts(query),
  keyOf: ({ id }) => id,
  search: [{ name: 'q', label: 'admin_search_accounts' }],
  columns: [
    {
      label: 'field_token_name',
      cell: (account) => (
        <a href={accountPath(account.id)} dir="auto">
          {accountName(account)}
        </a>
      ),
    },
    { label: 'filter_status', cell: stateText },
    { label: 'usage_links', cell: ({ links }) => formatNumber(links), look: 'number' },
    {
      label: 'limit_month',
      cell: ({ linksThisMonth }) => formatNumber(linksThisMonth),
      look: 'number',
    },
    { label: 'admin_quota', cell: quotaText, look: 'number' },
    { label: 'admin_created', cell: ({ created }) => formatDay(created) },
  ],
  form: NewAccount,
});

/** The links of all accounts. */
export const AllLinksPage = listPage<AdminLink>({
  title: 'nav_links',
  empty: 'admin_none',
  read: (client, query) => client.adminListLinks(query),
  keyOf: ({ id }) => id,
  search: [
    { name: 'q', label: 'links_search' },
    { name: 'host', label: 'admin_host', hint: 'admin_host_hint', isCode: true },
  ],
  hasDomains: true,
  found: ({ host }, context) =>
    host && (
      <div class="buttons">
        <bdi dir="ltr">{host}</bdi>
        <BlockButton {...context} blocked={{ kind: 'host', value: host }} />
      </div>
    ),
  columns: [
    { label: 'sort_alias', cell: ({ shortUrl }) => <Inspect shortUrl={shortUrl} /> },
    {
      label: 'field_target',
      cell: ({ targetUrl }) => <bdi dir="ltr">{targetUrl}</bdi>,
      look: 'long',
    },
    { label: 'filter_status', cell: ({ status }) => t(STATUS_TEXTS[status]) },
    { label: 'admin_visits', cell: ({ hits }) => formatNumber(hits), look: 'number' },
    {
      label: 'account_heading',
      cell: ({ accountId }) => <a href={accountPath(accountId)}>{accountId}</a>,
    },
    {
      label: 'admin_action',
      cell: (link, context) =>
        link.status === 'blocked' ? null : <BlockLink link={link} context={context} />,
    },
  ],
});

export const BlocksPage = listPage<Block>({
  title: 'admin_blocks',
  empty: 'admin_blocks_none',
  read: async (client) => allInOne(await client.adminListBlocks()),
  keyOf: ({ kind, value }) => `${kind} ${value}`,
  columns: [
    {
      label: 'admin_value',
      cell: ({ kind, value }) =>
        kind === 'account' ? (
          <a href={accountPath(value)}>{value}</a>
        ) : (
          <bdi dir="ltr">{value}</bdi>
        ),
    },
    { label: 'admin_kind', cell: ({ kind }) => t(KIND_LABELS[kind]) },
    { label: 'admin_reason', cell: ({ reason }) => <bdi>{reason}</bdi>, look: 'long' },
    { label: 'admin_since', cell: ({ since }) => formatDay(since) },
    {
      label: 'admin_action',
      cell: ({ kind, value, reason }, context) => (
        <UnblockButton {...context} blocked={{ kind, value }} reason={reason} />
      ),
    },
  ],
  form: NewBlock,
});

/** The links that visitors reported: each is blocked, or its reports are dismissed. */
export const ReportsPage = listPage<ReportedLink>({
  title: 'admin_reports',
  empty: 'admin_reports_none',
  read: (client, query) => client.adminListReports(query),
  keyOf: ({ link }) => link.id,
  columns: [
    { label: 'sort_alias', cell: ({ link }) => <Inspect shortUrl={link.shortUrl} /> },
    {
      label: 'field_target',
      cell: ({ link }) => <bdi dir="ltr">{link.targetUrl}</bdi>,
      look: 'long',
    },
    { label: 'admin_reports', cell: ({ count }) => formatNumber(count), look: 'number' },
    { label: 'admin_reason', cell: ({ reports }) => <Reasons reports={reports} />, look: 'long' },
    {
      label: 'admin_action',
      cell: ({ link, count }, context) => (
        <div class="buttons">
          <BlockLink link={link} context={context} />
          <ConfirmAction
            label={t('admin_dismiss')}
            ariaLabel={t('label_of', t('admin_dismiss'), link.alias)}
            title={t('admin_dismiss_question', link.alias)}
            confirm={t('admin_dismiss_confirm')}
            consequences={() => [t('admin_dismiss_text', formatNumber(count)), t('admin_final')]}
            onConfirm={() =>
              context.actions.run(
                (client) => client.adminDismissReports(linkAt(pathNameOf(link, location.origin))),
                t('admin_dismissed', link.alias),
              )
            }
          />
        </div>
      ),
    },
  ],
});

/** The domains of short URLs. */
export const DomainsPage = listPage<AdminDomain>({
  title: 'admin_domains',
  empty: 'admin_none',
  read: async (client) => allInOne(await client.adminListDomains()),
  keyOf: ({ host }) => host,
  columns: [
    {
      label: 'field_domain',
      cell: ({ host, displayHost, isDefault }) =>
        isDefault ? (
          <bdi dir="ltr">{displayHost}</bdi>
        ) : (
          <a href={domainPath(host)} dir="ltr">
            {displayHost}
          </a>
        ),
    },
    { label: 'filter_status', cell: domainStateText },
    { label: 'field_token_name', cell: ({ brand }) => <bdi>{brand?.name}</bdi> },
    { label: 'admin_accounts', cell: accountsText, look: 'number' },
    { label: 'admin_created', cell: ({ created }) => created && formatDay(created) },
  ],
  form: NewDomain,
});

/** What administrators did. Actions and details are those of the API, in English. */
export const AuditPage = listPage<AuditEntry>({
  title: 'admin_audit',
  empty: 'admin_audit_none',
  intro: 'admin_audit_hint',
  read: (client, query) => client.adminListAuditEntries(query),
  keyOf: (entry) => JSON.stringify(entry),
  columns: [
    { label: 'admin_time', cell: ({ time }) => formatDate(time) },
    {
      label: 'admin_action',
      cell: ({ action, failed }) => (
        <bdi dir="ltr">{failed === undefined ? action : `${action}: ${failed}`}</bdi>
      ),
    },
    { label: 'admin_concerns', cell: ({ target }) => <bdi dir="ltr">{target}</bdi>, look: 'long' },
    {
      label: 'admin_details',
      cell: ({ details }) => (
        <bdi dir="ltr">{Object.keys(details).length > 0 && JSON.stringify(details)}</bdi>
      ),
      look: 'long',
    },
    { label: 'admin_by', cell: ({ by }) => <bdi>{by ?? 'ADMIN_TOKEN'}</bdi> },
  ],
});

/** Returns everything at once, for a list that has no pages. */
function allInOne<T>(result: Result<T[]>): Result<ListRows<T>> {
  return result.ok ? { ...result, data: { data: result.data, nextCursor: null } } : result;
}

/** Shows where a short link leads, without going there. */
function Inspect({ shortUrl }: { shortUrl: string }) {
  return (
    <a href={`${shortUrl}+`} target="_blank" rel="noreferrer" dir="ltr">
      {pathNameOf({ shortUrl }, location.origin)}
    </a>
  );
}

type BlockLinkProps = { link: { shortUrl: string }; context: ListContext };

function BlockLink({ link, context }: BlockLinkProps) {
  return (
    <BlockButton
      {...context}
      blocked={{ kind: 'link', value: pathNameOf(link, location.origin) }}
    />
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
