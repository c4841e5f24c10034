import { useSignal } from '@preact/signals';
import type { AdminAccount } from '../../../../shared/admin/accounts.ts';
import type { Result } from '../../../../shared/client.ts';
import { formatCount } from '../../../../shared/i18n/plural.ts';
import { t } from '../../../../shared/i18n/translate.ts';
import { InputField } from '../../../../shared/ui/InputField.tsx';
import type { Admin } from '../admin.ts';
import type { AdminClient } from '../api/load-admin-client.ts';
import type { Actions } from '../parts/actions.ts';
import { ConfirmAction } from '../parts/ConfirmAction.tsx';
import { accountName } from './account-texts.ts';

export type MoveLinksProps = { admin: Admin; account: AdminAccount; actions: Actions };

/** Moves all links to another account, for somebody who leaves. */
export function MoveLinks({ admin, account, actions }: MoveLinksProps) {
  const to = useSignal('');
  const target = to.value.trim();
  const issue = useSignal<string | undefined>(undefined);

  async function consequences(): Promise<string[]> {
    const other = await admin.api.call((client) => client.readAccount(target));
    const name = other.ok ? accountName(other.data) : target;
    return [formatCount('admin_move_text', account.links, name), t('admin_move_final')];
  }

  return (
    <section class="card" aria-labelledby="move-heading">
      <h2 id="move-heading" tabIndex={-1}>
        {t('admin_move')}
      </h2>
      <p class="intro">{t('admin_move_intro')}</p>
      <InputField
        label={t('admin_move_to')}
        issue={issue.value}
        class="input mono"
        name="move-to"
        isCode
        value={to.value}
        onInput={(event) => {
          to.value = event.currentTarget.value;
          issue.value = undefined;
        }}
      />
      <div class="buttons">
        <ConfirmAction
          label={t('admin_move_button')}
          title={t('admin_move_question')}
          confirm={t('admin_move')}
          isValid={() => {
            const isOther = /^[\w-]+$/.test(target) && target !== account.id;
            issue.value = isOther ? undefined : t('admin_move_missing');
            return isOther;
          }}
          consequences={consequences}
          onConfirm={() =>
            actions.run((client) => moveAll(client, account.id, target), t('admin_moved'))
          }
        />
      </div>
    </section>
  );
}

/** A request moves some of many links. One that is interrupted continues with the next. */
async function moveAll(client: AdminClient, from: string, to: string): Promise<Result<null>> {
  for (;;) {
    const result = await client.reassignLinks(from, to);
    if (!result.ok) return result;
    if (result.data.remaining === 0 || result.data.moved === 0) return { ok: true, data: null };
  }
}
