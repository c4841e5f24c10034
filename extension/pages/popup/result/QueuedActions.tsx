import { t } from '../../../i18n/translate.ts';

export type QueuedActionsProps = {
  /** Nothing answers, and no server ever has. */
  isFirstRun: boolean;
  /** The server has said until when it refuses: a try before that must fail. */
  isLimited: boolean;
  onTryNow: () => void;
  onDrop: () => void;
  onSetUp: () => void;
};

/** What can be done about a wish that is kept; the words for it stand in the status line. */
export function QueuedActions({
  isFirstRun,
  isLimited,
  onTryNow,
  onDrop,
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
      <button type="button" class="button" onClick={onDrop}>
        {t('discard_queued')}
      </button>
    </div>
  );
}
