import type { AdminAccount } from '../../../../shared/admin/accounts.ts';
import { formatCount } from '../../../../shared/i18n/plural.ts';
import { t } from '../../../../shared/i18n/translate.ts';
import type { Admin } from '../admin.ts';
import type { Actions } from '../parts/actions.ts';
import { BlockButton, UnblockButton } from '../parts/BlockButton.tsx';
import { ConfirmAction } from '../parts/ConfirmAction.tsx';
import { accountName } from './account-texts.ts';

export type AccountAccessProps = { admin: Admin; account: AdminAccount; actions: Actions };

/** Suspends an account, or blocks it with its links, and ends that. */
export function AccountAccess({ admin, account, actions }: AccountAccessProps) {
  const { id, suspended, blocked } = account;
  const name = accountName(account);
  const resume = { suspended: null };
  const block = { admin, actions, blocked: { kind: 'account', value: id }, name } as const;
  return (
    <section class="card" aria-labelledby="access-heading">
      <h2 id="access-heading" tabIndex={-1}>
        {t('admin_access')}
      </h2>
      <p class="intro">{t('admin_access_intro')}</p>
      <div class="buttons">
        {suspended ? (
          <ConfirmAction
            label={t('admin_resume')}
            title={t('admin_resume_question', name)}
            confirm={t('admin_resume_confirm')}
            consequences={() => [t('admin_resume_text')]}
            onConfirm={() =>
              actions.run(
                (client) => client.editAccount(id, resume),
                t('admin_resumed', name),
                (client) => client.editAccount(id, { suspended: { reason: suspended.reason } }),
              )
            }
          />
        ) : (
          <ConfirmAction
            label={t('admin_suspend')}
            title={t('admin_suspend_question', name)}
            confirm={t('admin_suspend_confirm')}
            consequences={() => [formatCount('admin_suspend_text', account.links)]}
            reasonHint={t('admin_reason_owner')}
            onConfirm={(reason) =>
              actions.run(
                (client) => client.editAccount(id, { suspended: { reason } }),
                t('admin_suspended', name),
                (client) => client.editAccount(id, resume),
              )
            }
          />
        )}
        {blocked ? (
          <UnblockButton {...block} reason={blocked.reason} />
        ) : (
          <BlockButton {...block} />
        )}
      </div>
    </section>
  );
}
