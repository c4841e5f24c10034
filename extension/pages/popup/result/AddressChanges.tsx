import { formatCount } from '../../../i18n/plural.ts';
import { t } from '../../../i18n/translate.ts';
import type { ShortenTarget } from '../../../messaging/protocol.ts';

export type AddressChangesProps = {
  plan: ShortenTarget;
  onUseTab: () => void;
  onUseFull: () => void;
};

/** How the address differs from what the tab shows or what was written, and the ways back. */
export function AddressChanges({ plan, onUseTab, onUseFull }: AddressChangesProps) {
  return (
    <>
      {plan.tabUrl !== undefined && (
        <p class="aside">
          {t('canonical_url_used')}
          <button type="button" class="link-button" onClick={onUseTab}>
            {t('use_tab_url')}
          </button>
        </p>
      )}
      {plan.removed.length > 0 && (
        <p class="aside">
          {formatCount('tracking_removed', plan.removed.length)}
          <bdi class="names" dir="ltr">
            {plan.removed.join(', ')}
          </bdi>
          <button type="button" class="link-button" onClick={onUseFull}>
            {t('use_full_url')}
          </button>
        </p>
      )}
    </>
  );
}
