import { t } from '../../../../shared/i18n/translate.ts';
import { useRestoreFocus } from '../restore-focus.ts';
import type { PopupState } from '../state/popup-state.ts';
import { ErrorActions } from './ErrorActions.tsx';
import { LinkCard } from './LinkCard.tsx';
import { OtherLinks } from './OtherLinks.tsx';
import { QueuedActions } from './QueuedActions.tsx';
import { RemainingLimits } from './RemainingLimits.tsx';
import { SecretWarning } from './SecretWarning.tsx';
import { UrlChanges } from './UrlChanges.tsx';
import { VisitsToday } from './VisitsToday.tsx';
import './result.css';

export type ResultProps = {
  state: PopupState;
  onOpenLink: (url: string) => void;
  /** Where a dialog of the system, for a color or a file, would close the popup. */
  onCustomizeQr?: ((shortUrl: string) => void) | undefined;
  onOpenSettings: () => void;
  onSetUp: () => void;
  onClose: () => void;
};

/** The result for the URL, below the status line that sums it up. */
export function Result({
  state,
  onOpenLink,
  onCustomizeQr,
  onOpenSettings,
  onSetUp,
  onClose,
}: ResultProps) {
  const view = state.view.value;
  const { url, target } = state.subject.value;
  useRestoreFocus(view);
  return (
    <>
      {view.name === 'working' && !state.isSlow.value && <div class="link" aria-hidden="true" />}
      {view.name === 'working' && state.isSlow.value && (
        <div class="actions">
          <button type="button" class="button" onClick={onClose}>
            {t('finish_in_background')}
          </button>
        </div>
      )}
      {view.name === 'link' && (
        <LinkCard
          link={view.link}
          isCopied={view.copy === 'done'}
          visits={
            view.isExisting &&
            view.reference && (
              // No count of another link: each has its own.
              <VisitsToday
                key={view.reference.shortUrl}
                reference={view.reference}
                send={state.send}
              />
            )
          }
          isEditable={view.reference !== undefined}
          state={state}
          onOpen={onOpenLink}
          onCustomizeQr={onCustomizeQr}
        />
      )}
      {view.name === 'ready' && (
        <p class="target">
          <bdi dir="ltr">{url}</bdi>
        </p>
      )}
      {view.name === 'deleted' && (
        <div class="actions">
          <button type="button" class="button primary" onClick={state.restoreLink}>
            {t('link_restore')}
          </button>
          <button type="button" class="button" onClick={state.showOptions}>
            {t('options')}
          </button>
        </div>
      )}
      {target && (view.name === 'ready' || (view.name === 'link' && !view.isPagesOwn)) && (
        <UrlChanges target={target} onUseTab={state.useTabUrl} onUseFull={state.useFullUrl} />
      )}
      {(view.name === 'ready' || view.name === 'link') && state.otherLinks.value.length > 0 && (
        <OtherLinks links={state.otherLinks.value} onChoose={state.showExisting} />
      )}
      {view.name === 'secret' && target?.warning && (
        <SecretWarning
          warning={target.warning}
          onAccept={state.acceptSecret}
          onRemove={state.removeSecret}
          onCancel={view.goBack ?? onClose}
        />
      )}
      {(view.name === 'queued' || view.name === 'failed') &&
        view.failure.status === 429 &&
        // Those limits are not the account's own.
        view.failure.code !== 'account_limit' &&
        view.failure.code !== 'anonymous_limit' &&
        state.limits.value && (
          <RemainingLimits
            limits={state.limits.value}
            isRetryShown={view.name === 'queued' || view.failure.retryAfterSeconds !== undefined}
          />
        )}
      {view.name === 'queued' && (
        <QueuedActions
          isFirstRun={view.failure.isFirstRun ?? false}
          isLimited={view.failure.status === 429}
          onTryNow={view.retry}
          onDiscard={state.discardQueued}
          onSetUp={onSetUp}
        />
      )}
      {view.name === 'failed' && (
        <ErrorActions
          failure={view.failure}
          onTryAgain={state.tryAgain}
          onOpenSettings={onOpenSettings}
        />
      )}
    </>
  );
}
