import { t } from '../../../../shared/i18n/translate.ts';

export type SlowNoticeProps = {
  isSlow: boolean;
  serverOrigin: string | undefined;
  onClose: () => void;
};

/** Offers to finish in the background while the server is slow. */
export function SlowNotice({ isSlow, serverOrigin, onClose }: SlowNoticeProps) {
  return (
    // Always rendered: a live region must exist before its text.
    <div role="status">
      {isSlow && (
        <p class="hint">
          {t('slow_text', new URL(serverOrigin ?? 'http://localhost').host)}{' '}
          <button type="button" class="link-button" onClick={onClose}>
            {t('finish_in_background')}
          </button>
        </p>
      )}
    </div>
  );
}
