import { t } from '../../../i18n/translate.ts';
import { useLostFocus } from '../restore-focus.ts';
import { leaveSecretOut, useFullAddress, useTabAddress } from '../state/change-address.ts';
import type { PopupState } from '../state/popup-state.ts';
import { discardQueued } from '../state/queued-requests.ts';
import { AddressChanges } from './AddressChanges.tsx';
import { ErrorActions } from './ErrorActions.tsx';
import { LinkCard } from './LinkCard.tsx';
import { OtherLinks } from './OtherLinks.tsx';
import { QueuedActions } from './QueuedActions.tsx';
import { RemainingLimits } from './RemainingLimits.tsx';
import { SecretQuestion } from './SecretWarning.tsx';
import './result.css';

export type OutcomeProps = {
  state: PopupState;
  onOpenLink: (url: string) => void;
  onOpenSettings: () => void;
  onSetUp: () => void;
  onClose: () => void;
};

/** What has become of the address, under the line that says it in words. */
export function Outcome({ state, onOpenLink, onOpenSettings, onSetUp, onClose }: OutcomeProps) {
  const view = state.view.value;
  const { url, plan } = state.subject.value;
  useLostFocus(view);
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
          onCopy={state.copyAgain}
          onOpen={onOpenLink}
        />
      )}
      {view.name === 'ready' && (
        <>
          <p class="target" dir="ltr">
            {url}
          </p>
          <div class="actions">
            <button type="button" class="button primary" onClick={state.shorten}>
              {t('shorten')}
            </button>
          </div>
        </>
      )}
      {plan && (view.name === 'ready' || (view.name === 'link' && !view.isPagesOwn)) && (
        <AddressChanges
          plan={plan}
          onUseTab={() => useTabAddress(state)}
          onUseFull={() => useFullAddress(state)}
        />
      )}
      {(view.name === 'ready' || view.name === 'link') && state.otherLinks.value.length > 0 && (
        <OtherLinks
          links={state.otherLinks.value}
          onChoose={(link) => state.showLink(link, { isExisting: true })}
        />
      )}
      {view.name === 'secret' && plan?.warning && (
        <SecretQuestion
          warning={plan.warning}
          onAccept={state.acceptSecret}
          onLeaveOut={() => leaveSecretOut(state)}
          onCancel={view.goBack ?? onClose}
        />
      )}
      {(view.name === 'queued' || view.name === 'failed') &&
        view.failure.status === 429 &&
        // That limit is of the network's accounts, and none of these.
        view.failure.code !== 'account_limit' &&
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
          onTryNow={view.again}
          onDrop={() => void discardQueued(state)}
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
