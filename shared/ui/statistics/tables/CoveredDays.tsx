import { t } from '../../../i18n/translate.ts';
import { formatDays } from '../format-period.ts';
import type { ShownReport } from '../statistics-source.ts';

/** Which days the tables count, if they are not those of the numbers above: then they don't add up to them. */
export function CoveredDays({
  report: { from, to, valuesFrom, valuesTo },
}: {
  report: ShownReport;
}) {
  if (!valuesFrom || !valuesTo || (valuesFrom === from && valuesTo === to)) return null;
  return <p class="hint">{t('tops_cover', formatDays(valuesFrom, valuesTo))}</p>;
}
