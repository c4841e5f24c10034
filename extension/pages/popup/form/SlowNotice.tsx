import { t } from '../../../i18n/translate.ts';

export type SlowNoticeProps = {
  isSlow: boolean;
  serverOrigin: string | undefined;
  onClose: () => void;
};

/** Offers to go on without the popup while the server keeps the form waiting. */
export function SlowNotice({ isSlow, serverOrigin, onClose }: SlowNoticeProps) {
  return (
    // There from the start, so that what comes is announced.
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
