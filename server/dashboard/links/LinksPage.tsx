import { useEffect, useMemo } from 'preact/hooks';
import { aliasOf } from '../../../shared/links/shown-link.ts';
import { LinkList } from '../../../shared/ui/links/LinkList.tsx';
import type { PageProps } from '../app/dashboard.ts';
import { EDITED_ALIAS } from '../app/link-paths.ts';
import { createLinks } from './create-links.ts';

/** The account's links. */
export function LinksPage({ dashboard }: PageProps) {
  const edited = dashboard.router.query.value.get(EDITED_ALIAS) ?? '';
  const state = useMemo(() => createLinks(dashboard, { initialQuery: edited }), [dashboard]);
  useEffect(() => {
    const stop = state.start();
    void stop.then(() => {
      const link = state.loading.links.value.find((one) => aliasOf(one) === edited);
      if (link) state.editing.open(link);
    });
    return () => void stop.then((run) => run());
  }, [state]);
  return <LinkList state={state} />;
}
