import { useEffect, useMemo } from 'preact/hooks';
import type { PageProps } from '../app/dashboard.ts';
import { FailureNote } from '../app/FailureNote.tsx';
import { createAccountState } from './account-state.ts';
import { Usage } from './Usage.tsx';

/** The account: how much is used, its tokens, its data. */
export function AccountPage({ dashboard }: PageProps) {
  const state = useMemo(() => createAccountState(dashboard), [dashboard]);
  useEffect(() => void state.refresh(), [state]);
  return (
    <>
      <FailureNote failure={state.failure.value} onRetry={state.refresh} />
      <Usage account={state.account.value} />
    </>
  );
}
