import { formatCount } from '../../../../shared/i18n/plural.ts';
import { t } from '../../../../shared/i18n/translate.ts';
import type { ShortenTarget } from '../../../messaging/protocol.ts';

export type UrlChangesProps = {
  target: ShortenTarget;
  onUseTab: () => void;
  onUseFull: () => void;
};

/** How the URL differs from the one in the tab or the one typed, with buttons to go back to those. */
export function UrlChanges({ target, onUseTab, onUseFull }: UrlChangesProps) {
  const isChanged = target.unwrappedFrom !== undefined || target.removed.length > 0;
  return (
    <>
      {target.tabUrl !== undefined && (
        <p class="url-change">
          {t('canonical_url_used')}
          <button type="button" class="link-button" onClick={onUseTab}>
            {t('use_tab_url')}
          </button>
        </p>
      )}
      {target.canonicalUnread && <p class="url-change">{t('canonical_url_unread')}</p>}
      {isChanged && (
        <p class="url-change">
          {target.unwrappedFrom && t('url_unwrapped', target.unwrappedFrom)}
          {target.unwrappedFrom && target.removed.length > 0 && <br />}
          {target.removed.length > 0 && (
            <>
              {formatCount('tracking_removed', target.removed.length)}
              <bdi class="removed-parameters" dir="ltr">
                {target.removed.join(', ')}
              </bdi>
            </>
          )}
          <button type="button" class="link-button" onClick={onUseFull}>
            {t('use_full_url')}
          </button>
        </p>
      )}
    </>
  );
}
