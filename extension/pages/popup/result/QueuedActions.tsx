import { t } from '../../../../shared/i18n/translate.ts';

export type QueuedActionsProps = {
  /** No server responds, and none ever has. */
  isFirstRun: boolean;
  /** The server's limit is reached: retrying before its reset fails. */
  isLimited: boolean;
  onTryNow: () => void;
  onDiscard: () => void;
  onSetUp: () => void;
};

/** Buttons for a queued request. The status line explains why it is queued. */
export function QueuedActions({
  isFirstRun,
  isLimited,
  onTryNow,
  onDiscard,
  onSetUp,
}: QueuedActionsProps) {
  return (
    <div class="actions">
      {isFirstRun && (
        <button type="button" class="button primary" onClick={onSetUp}>
          {t('set_up')}
        </button>
      )}
      <button
        type="button"
        class={isFirstRun || isLimited ? 'button' : 'button primary'}
        onClick={onTryNow}
      >
        {t('try_now')}
      </button>
      <button type="button" class="button" onClick={onDiscard}>
        {t('discard_queued')}
      </button>
    </div>
  );
}
