import { useSignal } from '@preact/signals';
import type { AdminLink } from '../../../../shared/admin/links.ts';
import { formatNumber } from '../../../../shared/i18n/plural.ts';
import { t } from '../../../../shared/i18n/translate.ts';
import { DomainSelect } from '../../../../shared/ui/DomainSelect.tsx';
import { Field, InputField } from '../../../../shared/ui/Field.tsx';
import { STATUS_TEXTS } from '../../../../shared/ui/links/link-texts.ts';
import { pathNameOf } from '../../app/path-name.ts';
import { accountPath } from '../accounts/account-texts.ts';
import type { AdminPageProps } from '../admin.ts';
import { ActionNotice, useData } from '../parts/actions.tsx';
import { BlockButton } from '../parts/BlockButton.tsx';
import { type Column, SearchForm, Table, useList } from '../parts/Table.tsx';
import { useTyped } from '../parts/typed.ts';

/** Renders the links of all accounts, by text and host. */
export function AllLinksPage({ admin }: AdminPageProps) {
  const words = useTyped();
  const host = useTyped();
  /** What the list was last asked for. */
  const shownWords = useSignal('');
  const shownHost = useSignal('');
  const domain = useSignal('');
  const domains = useData(admin, (client) => client.listDomains()).data.value ?? [];
  const { list, actions } = useList(admin, (client, cursor) =>
    client.listLinks({
      ...{ cursor, q: shownWords.value },
      ...(shownHost.value && { host: shownHost.value }),
      ...(domain.value && { domain: domain.value }),
    }),
  );

  const columns: Column<AdminLink>[] = [
    {
      label: t('sort_alias'),
      // Where it leads, without going there.
      cell: ({ shortUrl }) => (
        <a href={`${shortUrl}+`} target="_blank" rel="noreferrer" dir="ltr">
          {pathNameOf({ shortUrl }, location.origin)}
        </a>
      ),
    },
    {
      label: t('field_target'),
      cell: ({ targetUrl }) => <bdi dir="ltr">{targetUrl}</bdi>,
      look: 'long',
    },
    { label: t('filter_status'), cell: ({ status }) => t(STATUS_TEXTS[status]) },
    { label: t('admin_visits'), cell: ({ hits }) => formatNumber(hits), look: 'number' },
    {
      label: t('account_heading'),
      cell: ({ accountId }) => <a href={accountPath(accountId)}>{accountId}</a>,
    },
    {
      label: t('admin_action'),
      cell: ({ shortUrl, status }) =>
        status === 'blocked' ? null : (
          <BlockButton
            admin={admin}
            actions={actions}
            blocked={{ kind: 'link', value: pathNameOf({ shortUrl }, location.origin) }}
          />
        ),
    },
  ];

  return (
    <>
      <SearchForm
        onSearch={() => {
          shownWords.value = words.text;
          shownHost.value = host.text;
          return list.refresh();
        }}
      >
        <InputField label={t('links_search')} type="search" name="words" {...words.field} />
        <InputField
          label={t('admin_host')}
          hint={t('admin_host_hint')}
          name="host"
          isCode
          {...host.field}
        />
        {domains.length > 1 && (
          <Field label={t('field_domain')}>
            {(control) => (
              <DomainSelect
                {...control}
                domains={domains}
                value={domain.value}
                all={t('status_all')}
                onChoose={(chosen) => {
                  domain.value = chosen;
                  void list.refresh();
                }}
              />
            )}
          </Field>
        )}
      </SearchForm>
      <ActionNotice actions={actions} />
      {shownHost.value !== '' && (
        <div class="buttons">
          <bdi dir="ltr">{shownHost.value}</bdi>
          <BlockButton
            admin={admin}
            actions={actions}
            blocked={{ kind: 'host', value: shownHost.value }}
          />
        </div>
      )}
      <Table
        list={list}
        label={t('nav_links')}
        columns={columns}
        keyOf={({ id }) => id}
        empty={t('admin_none')}
      />
    </>
  );
}
