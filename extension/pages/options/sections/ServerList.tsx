import { t } from '../../../../shared/i18n/translate.ts';
import { ConfirmButton } from '../../../../shared/ui/ConfirmButton.tsx';
import { restoreFocusAfter } from '../../../../shared/ui/restore-focus.ts';
import type { Account } from '../../../messaging/protocol.ts';
import type { OptionsState } from '../state/options-state.ts';

/** The user's accounts on other servers. Their tokens are kept for switching back. */
export function ServerList({ state }: { state: OptionsState }) {
  const others = state.account.others.value;
  if (others.length === 0) return null;
  return (
    <div class="rows divided">
      <h3>{t('servers_heading')}</h3>
      <ul class="list">
        {others.map((account) => (
          <ServerRow key={account.origin} account={account} state={state} />
        ))}
      </ul>
    </div>
  );
}

function ServerRow({ account, state }: { account: Account; state: OptionsState }) {
  const { host } = new URL(account.origin);
  return (
    <li class="list-row">
      <bdi class="mono" dir="ltr">
        {account.origin}
      </bdi>
      <span class="buttons">
        {!state.isFixed('serverOrigin') && (
          <button
            type="button"
            class="button"
            aria-label={t('server_switch_to', host)}
            onClick={({ currentTarget }) =>
              restoreFocusAfter(currentTarget, () => state.switchTo(account.origin))
            }
          >
            {t('server_switch')}
          </button>
        )}
        <ConfirmButton
          label={t('remove')}
          ariaLabel={t('server_remove', host)}
          title={t('server_remove_question', host)}
          confirm={t('token_remove_confirm')}
          onConfirm={() => state.account.removeAccount(account)}
        >
          <p>{t('token_remove_text')}</p>
        </ConfirmButton>
      </span>
    </li>
  );
}
