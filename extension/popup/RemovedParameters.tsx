import { t } from '../i18n.ts';
import { sayRemoved } from '../say-removed.ts';

export type RemovedParametersProps = { names: string[]; onUseFull: () => void };

/** What was taken out of the address, and the way back. */
export function RemovedParameters({ names, onUseFull }: RemovedParametersProps) {
  if (names.length === 0) return null;
  return (
    <p class="aside">
      {sayRemoved(names.length)}
      <bdi class="names" dir="ltr">
        {names.join(', ')}
      </bdi>
      <button type="button" class="link-button" onClick={onUseFull}>
        {t('use_full_address')}
      </button>
    </p>
  );
}
