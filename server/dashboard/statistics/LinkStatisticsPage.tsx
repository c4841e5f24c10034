import '../../../shared/ui/statistics/statistics.css';
import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { addressOf, type ShownLink } from '../../../shared/links/shown-link.ts';
import { FailureNote } from '../../../shared/ui/FailureNote.tsx';
import { LinkHeading } from '../../../shared/ui/statistics/LinkHeading.tsx';
import { Statistics } from '../../../shared/ui/statistics/Statistics.tsx';
import { createStatisticsState } from '../../../shared/ui/statistics/state/statistics-state.ts';
import type { PageProps } from '../app/dashboard.ts';
import { aliasIn, editLinkPath, linkStatisticsPath } from '../app/link-paths.ts';
import { pathNameOf } from '../app/path-name.ts';
import { BASE } from '../app/router.ts';
import { linkStatistics, readLink } from './http-statistics-source.ts';

/** Visits of the link whose alias is in the path. */
export function LinkStatisticsPage({ dashboard }: PageProps) {
  const alias = aliasIn(dashboard.router.path.value) ?? '';
  const state = useMemo(
    () => createStatisticsState({ source: linkStatistics(dashboard, alias), name: alias }),
    [dashboard, alias],
  );
  const link = useSignal<ShownLink | undefined>(undefined);
  useEffect(() => {
    let isCurrent = true;
    link.value = undefined;
    void readLink(dashboard, alias).then((read) => {
      if (isCurrent) link.value = read;
    });
    return () => {
      isCurrent = false;
    };
  }, [state]);
  const shortUrl = new URL(alias.includes('/') ? `//${alias}` : `/${alias}`, dashboard.origin).href;
  return (
    <>
      <LinkHeading
        shortUrl={shortUrl}
        title={link.value?.title ?? ''}
        link={link.value}
        backUrl={BASE}
        editUrl={editLinkPath(addressOf(link.value ?? { shortUrl }))}
      />
      <FailureNote failure={state.failure.value} onRetry={state.refresh} />
      <Statistics
        state={state}
        linkUrl={(link) => linkStatisticsPath(pathNameOf(link, dashboard.origin))}
      />
    </>
  );
}
