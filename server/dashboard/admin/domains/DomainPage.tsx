import { t } from '../../../../shared/i18n/translate.ts';
import { FailureNote } from '../../../../shared/ui/FailureNote.tsx';
import type { AdminPageProps } from '../admin.ts';
import { ActionNotice, useData } from '../parts/actions.tsx';
import { Facts } from '../parts/Facts.tsx';
import { stateText } from './domain-texts.ts';
import { EditDomain } from './EditDomain.tsx';
import { AddAgain, RemoveDomain } from './RemoveDomain.tsx';

/** Renders a domain that an administrator added, and what can be done with it. Its host is in the address. */
export function DomainPage({ admin }: AdminPageProps) {
  const { data, failure, refresh, actions } = useData(admin, (client) => client.adminListDomains());
  const host = admin.router.query.value.get('host');
  const domain = data.value?.find((each) => each.host === host && !each.isDefault);
  const others = (data.value ?? []).filter((each) => each !== domain && !each.removed);
  return (
    <>
      <FailureNote failure={failure.value} onRetry={refresh} />
      <ActionNotice actions={actions} />
      {data.value && !domain && <p>{t('admin_none')}</p>}
      {domain && (
        <>
          <section class="card" aria-labelledby="domain-heading">
            <h2 id="domain-heading" tabIndex={-1}>
              <bdi>{domain.displayHost}</bdi>
            </h2>
            <Facts
              facts={[
                [t('filter_status'), stateText(domain)],
                [t('short_link'), `${domain.baseUrl.replace(domain.host, domain.displayHost)}/…`],
              ]}
            />
          </section>
          {domain.removed ? (
            <AddAgain domain={domain} actions={actions} />
          ) : (
            <EditDomain key={JSON.stringify(domain)} domain={domain} actions={actions} />
          )}
          <RemoveDomain admin={admin} domain={domain} others={others} actions={actions} />
        </>
      )}
    </>
  );
}
