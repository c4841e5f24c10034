import { useEffect, useMemo } from 'preact/hooks';
import { t } from '../../../shared/i18n/translate.ts';
import { Statistics } from '../../../shared/ui/statistics/Statistics.tsx';
import { createStatisticsState } from '../../../shared/ui/statistics/state/statistics-state.ts';
import type { PageProps } from '../app/dashboard.ts';
import { FailureNote } from '../app/FailureNote.tsx';
import { aliasIn } from '../app/link-paths.ts';
import { BASE } from '../app/router.ts';
import { linkStatistics } from './http-statistics-source.ts';

/** Visits of the link whose alias is in the path. */
export function LinkStatisticsPage({ dashboard }: PageProps) {
  const alias = aliasIn(dashboard.router.path.value) ?? '';
  const state = useMemo(
    () => createStatisticsState({ source: linkStatistics(dashboard, alias), name: alias }),
    [dashboard, alias],
  );
  useEffect(() => void state.refresh(), [state]);
  const shortUrl = `${dashboard.origin}/${alias}`;
  return (
    <>
      <p class="statistics-link">
        <a href={shortUrl} target="_blank" rel="noreferrer" dir="ltr">
          {shortUrl.replace(/^https?:\/\//, '')}
        </a>
        <a href={BASE}>{t('all_links')}</a>
      </p>
      <FailureNote failure={state.failure.value} onRetry={state.refresh} />
      <Statistics state={state} />
    </>
  );
}
