import { signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { AdminDomain } from '../../../../shared/admin/domains.ts';
import type { FailureText } from '../../../../shared/i18n/failure-text.ts';
import { t } from '../../../../shared/i18n/translate.ts';
import { FailureNote } from '../../../../shared/ui/FailureNote.tsx';
import type { Admin, AdminPageProps } from '../admin.ts';
import { ActionNotice } from '../parts/ActionNotice.tsx';
import { createActions } from '../parts/actions.ts';
import { adminFailure } from '../parts/admin-failure.ts';
import { Facts } from '../parts/Facts.tsx';
import { AddAgain } from './AddAgain.tsx';
import { stateText } from './domain-texts.ts';
import { EditDomain } from './EditDomain.tsx';
import { RemoveDomain } from './RemoveDomain.tsx';

/** A domain that an administrator added, and what can be done with it. Its host is in the address. */
export function DomainPage({ admin }: AdminPageProps) {
  const state = useMemo(() => createDomainState(admin), [admin]);
  useEffect(() => void state.refresh(), [state]);
  const { domain, others } = state.found.value ?? {};
  const { actions } = state;
  return (
    <>
      <FailureNote failure={state.failure.value} onRetry={state.refresh} />
      <ActionNotice actions={actions} />
      {state.found.value && !domain && <p>{t('admin_none')}</p>}
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
          <RemoveDomain admin={admin} domain={domain} others={others ?? []} actions={actions} />
        </>
      )}
    </>
  );
}

function createDomainState(admin: Admin) {
  const { api, origin, router } = admin;
  const host = router.query.value.get('host') ?? '';
  const found = signal<{ domain?: AdminDomain; others: AdminDomain[] } | undefined>(undefined);
  const failure = signal<FailureText | undefined>(undefined);

  async function refresh(): Promise<void> {
    const result = await api.call((client) => client.listDomains());
    failure.value = result.ok ? undefined : adminFailure(result, origin);
    if (!result.ok) return;
    const domain = result.data.find((each) => each.host === host && !each.isDefault);
    const others = result.data.filter((each) => each !== domain && !each.removed);
    found.value = { ...(domain && { domain }), others };
  }

  return { found, failure, refresh, actions: createActions(admin, refresh) };
}
