import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { t } from '../../../shared/i18n/translate.ts';
import { FailureNote } from '../../../shared/ui/FailureNote.tsx';
import { LinkHeading } from '../../../shared/ui/statistics/LinkHeading.tsx';
import { Statistics } from '../../../shared/ui/statistics/Statistics.tsx';
import { createStatisticsState } from '../../../shared/ui/statistics/state/statistics-state.ts';
import type { PageProps } from '../app/dashboard.ts';
import { aliasIn } from '../app/link-paths.ts';
import { BASE } from '../app/router.ts';
import { linkStatistics, readTitle } from './http-statistics-source.ts';

/** Visits of the link whose alias is in the path. */
export function LinkStatisticsPage({ dashboard }: PageProps) {
  const alias = aliasIn(dashboard.router.path.value) ?? '';
  const state = useMemo(
    () => createStatisticsState({ source: linkStatistics(dashboard, alias), name: alias }),
    [dashboard, alias],
  );
  const title = useSignal('');
  useEffect(() => {
    void state.refresh();
    void readTitle(dashboard, alias).then((read) => {
      title.value = read;
    });
  }, [state]);
  const shortUrl = `${dashboard.origin}/${alias}`;
  return (
    <>
      <LinkHeading shortUrl={shortUrl} title={title.value}>
        <a href={BASE}>{t('all_links')}</a>
      </LinkHeading>
      <FailureNote failure={state.failure.value} onRetry={state.refresh} />
      <Statistics state={state} />
    </>
  );
}
