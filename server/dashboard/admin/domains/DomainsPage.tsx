import type { AdminDomain } from '../../../../shared/admin/domains.ts';
import { formatDay } from '../../../../shared/i18n/format-time.ts';
import { t } from '../../../../shared/i18n/translate.ts';
import { DOMAIN_MAX_CHARACTERS } from '../../../../shared/limits.ts';
import { InputField } from '../../../../shared/ui/Field.tsx';
import { Form } from '../../../../shared/ui/Form.tsx';
import type { AdminPageProps } from '../admin.ts';
import { ActionNotice, type Actions } from '../parts/actions.tsx';
import { useOneAtATime } from '../parts/ConfirmAction.tsx';
import { allInOne, type Column, Table, useList } from '../parts/Table.tsx';
import { needed, useTyped } from '../parts/typed.ts';
import { accountsText, domainPath, stateText } from './domain-texts.ts';

/** Renders the domains of short URLs, and a form for more. */
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
      label: t('field_domain'),
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

/** Adds a domain. Everything else is set on its page. */
function NewDomain({ actions }: { actions: Actions }) {
  const host = useTyped(needed('admin_domain_missing'));

  const add = useOneAtATime(async () => {
    if (!host.check()) return;
    const name = host.text;
    const result = await actions.submit(
      (client) => client.addDomain({ host: name }),
      t('admin_domain_added', name),
      (client) => client.removeDomain(name, { links: 'keep' }),
    );
    if (result.ok) host.clear();
  });

  return (
    <section class="card" aria-labelledby="new-domain-heading">
      <h2 id="new-domain-heading" tabIndex={-1}>
        {t('admin_new_domain')}
      </h2>
      <Form class="rows" onSubmit={add}>
        <InputField
          label={t('field_domain')}
          hint={t('admin_domain_hint')}
          {...host.field}
          name="host"
          isCode
          maxLength={DOMAIN_MAX_CHARACTERS}
        />
        <div class="buttons">
          <button type="submit" class="button primary">
            {t('admin_add_domain')}
          </button>
        </div>
      </Form>
    </section>
  );
}
