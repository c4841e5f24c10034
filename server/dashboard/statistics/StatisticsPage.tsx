import '../../../shared/ui/statistics/statistics.css';
import { useMemo } from 'preact/hooks';
import { FailureNote } from '../../../shared/ui/FailureNote.tsx';
import { Statistics } from '../../../shared/ui/statistics/Statistics.tsx';
import { createStatisticsState } from '../../../shared/ui/statistics/state/statistics-state.ts';
import type { PageProps } from '../app/dashboard.ts';
import { linkStatisticsPath } from '../app/link-paths.ts';
import { pathNameOf } from '../app/path-name.ts';
import { accountStatistics } from './http-statistics-source.ts';

/** Visits of all links. */
export function StatisticsPage({ dashboard }: PageProps) {
  const state = useMemo(
    () => createStatisticsState({ source: accountStatistics(dashboard), name: 'account' }),
    [dashboard],
  );
  return (
    <>
      <FailureNote failure={state.failure.value} onRetry={state.refresh} />
      <Statistics
        state={state}
        linkUrl={(link) => linkStatisticsPath(pathNameOf(link, dashboard.origin))}
      />
    </>
  );
}
