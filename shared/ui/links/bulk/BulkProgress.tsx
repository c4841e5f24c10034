import { formatCount, formatNumber } from '../../../i18n/plural.ts';
import { t } from '../../../i18n/translate.ts';

export type BulkProgressProps = { done: number; total: number; onStop: () => void };

/** How far a change of all links has come. What was changed before it is stopped stays so. */
export function BulkProgress({ done, total, onStop }: BulkProgressProps) {
  return (
    <section class="bulk-bar" aria-label={t('bulk_heading')}>
      <p>{t('links_found', formatNumber(done), formatCount('links_count', total))}</p>
      <progress class="bulk-progress" aria-label={t('bulk_heading')} value={done} max={total} />
      <button type="button" class="button" onClick={onStop}>
        {t('bulk_stop')}
      </button>
    </section>
  );
}
