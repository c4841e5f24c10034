import { signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { AdminAccount } from '../../../../shared/admin/accounts.ts';
import type { AdminToken } from '../../../../shared/admin/tokens.ts';
import type { FailureText } from '../../../../shared/i18n/failure-text.ts';
import { FailureNote } from '../../../../shared/ui/FailureNote.tsx';
import type { Admin, AdminPageProps } from '../admin.ts';
import { ActionNotice } from '../parts/ActionNotice.tsx';
import { createActions } from '../parts/actions.ts';
import { adminFailure } from '../parts/admin-failure.ts';
import { AccountAccess } from './AccountAccess.tsx';
import { AccountExport } from './AccountExport.tsx';
import { AccountFacts } from './AccountFacts.tsx';
import { AccountTokens } from './AccountTokens.tsx';
import { EditAccount } from './EditAccount.tsx';
import { MoveLinks } from './MoveLinks.tsx';

/** An account, and what can be done with it. Its ID is in the address. */
export function AccountPage({ admin }: AdminPageProps) {
  const state = useMemo(() => createAccountState(admin), [admin]);
  useEffect(() => void state.refresh(), [state]);
  const account = state.account.value;
  const { actions } = state;
  return (
    <>
      <FailureNote failure={state.failure.value} onRetry={state.refresh} />
      <ActionNotice actions={actions} />
      {account && (
        <>
          <AccountFacts account={account} />
          <EditAccount account={account} actions={actions} />
          <AccountAccess admin={admin} account={account} actions={actions} />
          <AccountTokens
            admin={admin}
            account={account}
            tokens={state.tokens.value}
            actions={actions}
          />
          <MoveLinks admin={admin} account={account} actions={actions} />
          <AccountExport admin={admin} account={account} />
        </>
      )}
    </>
  );
}

function createAccountState(admin: Admin) {
  const { api, origin, router } = admin;
  const id = router.query.value.get('id') ?? '';
  const account = signal<AdminAccount | undefined>(undefined);
  const tokens = signal<AdminToken[]>([]);
  const failure = signal<FailureText | undefined>(undefined);

  async function refresh(): Promise<void> {
    const [read, listed] = await Promise.all([
      api.call((client) => client.readAccount(id)),
      api.call((client) => client.listAccountTokens(id)),
    ]);
    const failed = [read, listed].find((result) => !result.ok);
    failure.value = failed && !failed.ok ? adminFailure(failed, origin) : undefined;
    if (read.ok) account.value = read.data;
    if (listed.ok) tokens.value = listed.data;
  }

  return { account, tokens, failure, refresh, actions: createActions(admin, refresh) };
}
