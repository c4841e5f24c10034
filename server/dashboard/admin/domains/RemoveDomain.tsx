import { useSignal } from '@preact/signals';
import type { AdminDomain, RemoveDomainResponse } from '../../../../shared/admin/domains.ts';
import type { Result } from '../../../../shared/client.ts';
import { formatCount, formatNumber } from '../../../../shared/i18n/plural.ts';
import { t } from '../../../../shared/i18n/translate.ts';
import { SelectField } from '../../../../shared/ui/Field.tsx';
import type { Admin } from '../admin.ts';
import type { AdminClient } from '../api/load-admin-client.ts';
import type { Actions } from '../parts/actions.tsx';
import { ConfirmAction } from '../parts/ConfirmAction.tsx';
import { toSettings } from './domain-texts.ts';

type Report = RemoveDomainResponse['data'];
type RemoveDomainProps = {
  admin: Admin;
  domain: AdminDomain;
  /** Those that its links can move to. */
  others: AdminDomain[];
  actions: Actions;
};

/** Removes a domain, with a choice of what happens to its links. Of a removed one, they can still move. */
export function RemoveDomain({ admin, domain, others, actions }: RemoveDomainProps) {
  const to = useSignal('');
  /** Where the links move. Empty: they stay, which those of a removed domain do already. */
  const target = to.value || (domain.removed ? (others[0]?.host ?? '') : '');
  const report = useSignal<Report | undefined>(undefined);
  const { host, displayHost } = domain;
  const action = t(domain.removed ? 'admin_move' : 'admin_domain_remove');

  async function consequences(): Promise<string[]> {
    const counted = await admin.api.call((client) => client.adminCountLinks({ domain: host }));
    const name = others.find((other) => other.host === target)?.displayHost;
    const stay = name === undefined ? [] : [t('admin_stay_text')];
    return [counted.ok ? countText(counted.data, name) : t('admin_count_failed'), ...stay];
  }

  async function remove(): Promise<void> {
    // Links that have moved would not come back.
    const addAgain =
      target === ''
        ? (client: AdminClient) => client.adminAddDomain({ body: { host, ...toSettings(domain) } })
        : undefined;
    const result = await actions.run(
      (client) => removeAll(client, host, target),
      domain.removed ? t('admin_moved') : t('admin_domain_removed_done', displayHost),
      addAgain,
    );
    report.value = result.ok ? result.data : undefined;
  }

  return (
    <section class="card" aria-labelledby="remove-heading">
      <h2 id="remove-heading" tabIndex={-1}>
        {action}
      </h2>
      <SelectField
        label={t('admin_domain_links')}
        name="links"
        options={[
          ...(domain.removed ? [] : [{ value: '', label: t('admin_links_keep') }]),
          ...others.map(({ host: value, displayHost }) => ({
            value,
            label: t('admin_links_move', displayHost),
          })),
        ]}
        value={target}
        onChoose={(chosen) => {
          to.value = chosen;
        }}
      />
      <div class="buttons">
        <ConfirmAction
          label={t(domain.removed ? 'admin_move_button' : 'admin_domain_remove_button')}
          title={
            domain.removed
              ? t('admin_move_question')
              : t('admin_domain_remove_question', displayHost)
          }
          confirm={action}
          consequences={consequences}
          onConfirm={remove}
        />
      </div>
      {report.value && report.value.stayedCount > 0 && <Stayed report={report.value} />}
    </section>
  );
}

function Stayed({ report: { stayed, stayedCount } }: { report: Report }) {
  return (
    <>
      <p>{formatCount('admin_stayed', stayedCount)}</p>
      <ul class="list">
        {stayed.map(({ shortUrl }) => (
          <li key={shortUrl}>
            <bdi dir="ltr">{shortUrl}</bdi>
          </li>
        ))}
      </ul>
    </>
  );
}

/** @param target where they move; undefined if they stay */
function countText(
  { count, isComplete }: { count: number; isComplete: boolean },
  target: string | undefined,
): string {
  if (target === undefined) {
    return isComplete
      ? formatCount('admin_gone_text', count)
      : t('admin_gone_many_text', formatNumber(count));
  }
  return isComplete
    ? formatCount('admin_move_text', count, target)
    : t('admin_move_many_text', formatNumber(count), target);
}

/** A request moves some of many links. One that is interrupted continues with the next. */
async function removeAll(client: AdminClient, host: string, to: string): Promise<Result<Report>> {
  for (;;) {
    const query = to === '' ? ({ links: 'keep' } as const) : ({ links: 'move', to } as const);
    const result = await client.adminRemoveDomain({ host, ...query });
    if (!result.ok || result.data.isRemoved) return result;
  }
}

/** Adds a domain that was removed, with the settings that it had. */
export function AddAgain({ domain, actions }: { domain: AdminDomain; actions: Actions }) {
  const { host, displayHost } = domain;
  return (
    <div class="buttons">
      <ConfirmAction
        label={t('admin_domain_again_button')}
        title={t('admin_domain_again_question', displayHost)}
        confirm={t('admin_domain_again')}
        consequences={() => [t('admin_domain_again_text')]}
        onConfirm={() =>
          actions.run(
            (client) => client.adminAddDomain({ body: { host, ...toSettings(domain) } }),
            t('admin_domain_added', displayHost),
            (client) => client.adminRemoveDomain({ host, links: 'keep' }),
          )
        }
      />
    </div>
  );
}
