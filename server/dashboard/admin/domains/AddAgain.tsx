import type { AdminDomain } from '../../../../shared/admin/domains.ts';
import { t } from '../../../../shared/i18n/translate.ts';
import type { Actions } from '../parts/actions.ts';
import { ConfirmAction } from '../parts/ConfirmAction.tsx';
import { toSettings } from './domain-settings.ts';

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
            (client) => client.addDomain({ host, ...toSettings(domain) }),
            t('admin_domain_added', displayHost),
            (client) => client.removeDomain(host, { links: 'keep' }),
          )
        }
      />
    </div>
  );
}
