import { useEffect, useMemo } from 'preact/hooks';
import { EDITED_ALIAS } from '../../../shared/ui/address.ts';
import { LinkList } from '../../../shared/ui/links/LinkList.tsx';
import { readListQuery, readPlace } from '../../../shared/ui/links/list-address.ts';
import { listTools } from '../../../shared/ui/links/list-tools.ts';
import type { PageProps } from '../app/dashboard.ts';
import { createLinks } from './create-links.ts';

/** Renders the account's links. */
export function LinksPage({ dashboard }: PageProps) {
  const { router } = dashboard;
  const state = useMemo(() => {
    const query = router.query.peek();
    const editedAlias = query.get(EDITED_ALIAS) ?? undefined;
    return createLinks(dashboard, { query: readListQuery(query), editedAlias, place: readPlace() });
  }, [dashboard]);
  useEffect(() => {
    const kept = listTools.use(
      ({ keepInAddress, keepPlace }) => [keepInAddress(state, router), keepPlace(state)],
      () => [],
    );
    const started = state.start();
    return () => {
      void kept.then((stops) => {
        for (const stop of stops) stop();
      });
      void started.then((stop) => stop());
    };
  }, [state]);
  const isEdited = state.edited.value !== undefined;
  useEffect(() => {
    if (!isEdited) return;
    // The form has a draft. Without this, it ends with the key.
    void import('../session/learn-account.ts').then(
      ({ learnAccount }) => learnAccount(dashboard),
      () => {},
    );
  }, [isEdited]);
  return <LinkList state={state} />;
}
