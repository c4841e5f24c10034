import { t } from '../../../shared/i18n/translate.ts';
import type { PageProps } from '../app/dashboard.ts';

/** Visits of all links. */
export function StatisticsPage(_: PageProps) {
  return <p class="intro">{t('statistics_none')}</p>;
}
