import { useEffect, useMemo } from 'preact/hooks';
import type { PageProps } from '../app/dashboard.ts';
import { CreatedLink } from './CreatedLink.tsx';
import { CreateForm } from './CreateForm.tsx';
import { createCreateState } from './create-state.ts';
import { readShared } from './read-shared.ts';

/** A new link, empty or with what another app shared. */
export function CreatePage({ dashboard }: PageProps) {
  const query = dashboard.router.query.value;
  const state = useMemo(() => createCreateState(dashboard, readShared(query)), [dashboard, query]);
  useEffect(() => void state.readDomains(), [state]);
  const created = state.created.value;
  return created ? (
    <CreatedLink state={state} link={created} />
  ) : (
    <CreateForm state={state} origin={dashboard.origin} />
  );
}
