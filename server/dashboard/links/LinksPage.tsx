import { useEffect, useMemo } from 'preact/hooks';
import { LinkList } from '../../../shared/ui/links/LinkList.tsx';
import type { PageProps } from '../app/dashboard.ts';
import { EDITED_ALIAS } from '../app/link-paths.ts';
import { createLinks } from './create-links.ts';

/** The account's links. */
export function LinksPage({ dashboard }: PageProps) {
  const editedAlias = dashboard.router.query.value.get(EDITED_ALIAS) ?? undefined;
  const state = useMemo(() => createLinks(dashboard, { editedAlias }), [dashboard]);
  useEffect(() => {
    const stop = state.start();
    return () => void stop.then((run) => run());
  }, [state]);
  return <LinkList state={state} />;
}
