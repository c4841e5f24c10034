import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { AdminDomain } from '../../../../shared/admin/domains.ts';
import type { AdminLink } from '../../../../shared/admin/links.ts';
import { formatNumber } from '../../../../shared/i18n/plural.ts';
import { t } from '../../../../shared/i18n/translate.ts';
import { DomainSelect } from '../../../../shared/ui/DomainSelect.tsx';
import { Field } from '../../../../shared/ui/Field.tsx';
import { InputField } from '../../../../shared/ui/InputField.tsx';
import { STATUS_TEXTS } from '../../../../shared/ui/links/status-texts.ts';
import { pathNameOf } from '../../app/path-name.ts';
import { accountPath } from '../accounts/account-path.ts';
import type { AdminPageProps } from '../admin.ts';
import { ActionNotice } from '../parts/ActionNotice.tsx';
import { BlockButton } from '../parts/BlockButton.tsx';
import { useList } from '../parts/list.ts';
import { SearchForm } from '../parts/SearchForm.tsx';
import { type Column, Table } from '../parts/Table.tsx';

/** The links of all accounts, by text and host. */
export function AllLinksPage({ admin }: AdminPageProps) {
  const words = useSignal('');
  const host = useSignal('');
  /** What the list was last asked for. */
  const shownWords = useSignal('');
  const shownHost = useSignal('');
  const domain = useSignal('');
  const domains = useSignal<AdminDomain[]>([]);
  const { list, actions } = useList(admin, (client, cursor) =>
    client.listAllLinks({
      ...{ cursor, q: shownWords.value },
      ...(shownHost.value && { host: shownHost.value }),
      ...(domain.value && { domain: domain.value }),
    }),
  );
  useEffect(() => {
    void admin.api
      .call((client) => client.listDomains())
      .then((result) => {
        if (result.ok) domains.value = result.data;
      });
  }, [admin]);

  const columns: Column<AdminLink>[] = [
    {
      label: t('import_alias'),
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
          shownWords.value = words.value;
          shownHost.value = host.value.trim();
          return list.refresh();
        }}
      >
        <InputField
          label={t('links_search')}
          type="search"
          name="words"
          value={words.value}
          onInput={(event) => {
            words.value = event.currentTarget.value;
          }}
        />
        <InputField
          label={t('admin_host')}
          hint={t('admin_host_hint')}
          name="host"
          isCode
          value={host.value}
          onInput={(event) => {
            host.value = event.currentTarget.value;
          }}
        />
        {domains.value.length > 1 && (
          <Field label={t('field_domain')}>
            {(control) => (
              <DomainSelect
                {...control}
                domains={domains.value}
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
