import { useEffect, useMemo } from 'preact/hooks';
import { FailureNote } from '../../../shared/ui/FailureNote.tsx';
import type { PageProps } from '../app/dashboard.ts';
import { createAccountState } from './account-state.ts';
import { DeleteAccount } from './delete/DeleteAccount.tsx';
import { createDeleteState } from './delete/delete-state.ts';
import { DefaultDomain } from './domain/DefaultDomain.tsx';
import { createDomainState } from './domain/domain-state.ts';
import { NewTokenForm } from './tokens/NewTokenForm.tsx';
import { TokenList } from './tokens/TokenList.tsx';
import { createTokensState } from './tokens/tokens-state.ts';
import { ExportSection } from './transfer/ExportSection.tsx';
import { createExportState } from './transfer/export-state.ts';
import { ImportSection } from './transfer/ImportSection.tsx';
import { createImportState } from './transfer/import-state.ts';
import { Usage } from './Usage.tsx';

/** The account: how much is used, its tokens, its data. */
export function AccountPage({ dashboard }: PageProps) {
  const state = useMemo(() => {
    const account = createAccountState(dashboard);
    return {
      account,
      domain: createDomainState(dashboard),
      tokens: createTokensState(dashboard, account),
      exported: createExportState(dashboard),
      imported: createImportState(dashboard, account),
      deleted: createDeleteState(dashboard),
    };
  }, [dashboard]);
  useEffect(() => {
    void state.account.refresh();
    void state.domain.refresh();
  }, [state]);
  const account = state.account.account.value;
  return (
    <>
      <FailureNote failure={state.account.failure.value} onRetry={state.account.refresh} />
      <Usage account={account} />
      <DefaultDomain state={state.domain} />
      <TokenList state={state.tokens} tokens={account?.tokens ?? []}>
        <NewTokenForm state={state.tokens} origin={dashboard.origin} />
      </TokenList>
      <ExportSection state={state.exported} />
      <ImportSection state={state.imported} />
      <DeleteAccount state={state.deleted} />
    </>
  );
}
