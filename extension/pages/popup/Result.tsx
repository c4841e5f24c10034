import { formatList } from '../../../shared/i18n/format-list.ts';
import type { LinkRecord } from '../../../shared/links/link-record.ts';
import './result.css';
import { useEffect, useRef } from 'preact/hooks';
import type { Limit, Limits } from '../../../shared/client.ts';
import { formatReset } from '../../../shared/i18n/format-wait.ts';
import { formatCount, formatLeft } from '../../../shared/i18n/plural.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { Icon } from '../../../shared/ui/Icon.tsx';
import type { ErrorText } from '../../i18n/error-text.ts';
import { formatSecrets } from '../../i18n/secrets-text.ts';
import type { ShortenTarget, SecretWarning as Warning } from '../../messaging/protocol.ts';
import { LinkCard, linkFacts } from './LinkCard.tsx';
import type { View, ViewOf } from './state/popup-model.ts';
import type { PopupState } from './state/popup-state.ts';

export type ResultProps = {
  state: PopupState;
  onOpenLink: (url: string) => void;
  /** Where a dialog of the system, for a color or a file, would close the popup. */
  onCustomizeQr?: ((shortUrl: string) => void) | undefined;
  onOpenSettings: () => void;
  onSetUp: () => void;
  onClose: () => void;
};

/** Renders the result for the URL, below the status line that sums it up. */
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
        <LinkCard view={view} state={state} onOpen={onOpenLink} onCustomizeQr={onCustomizeQr} />
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
        <UrlChanges target={target} state={state} />
      )}
      {(view.name === 'ready' || view.name === 'link') && state.otherLinks.value.length > 0 && (
        <OtherLinks links={state.otherLinks.value} onChoose={state.showExisting} />
      )}
      {view.name === 'secret' && target?.warning && (
        <SecretWarning
          warning={target.warning}
          state={state}
          onCancel={view.back ? state.goBack : onClose}
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
      {view.name === 'queued' && <QueuedActions view={view} state={state} onSetUp={onSetUp} />}
      {view.name === 'failed' && (
        <ErrorActions
          remedy={state.textOf(view.failure).remedy}
          onTryAgain={state.tryAgain}
          onOpenSettings={onOpenSettings}
        />
      )}
    </>
  );
}

type QueuedActionsProps = {
  view: ViewOf<'queued'>;
  state: PopupState;
  onSetUp: () => void;
};

/** Buttons for a queued request. The status line explains why it is queued. */
function QueuedActions({ view: { failure }, state, onSetUp }: QueuedActionsProps) {
  const { isFirstRun, movedTo, status } = failure;
  // Retrying before a limit is reset fails.
  const isRetryFirst = !isFirstRun && !movedTo && status !== 429;
  return (
    <div class="actions">
      {movedTo && (
        <button type="button" class="button primary" onClick={state.useNewAddress}>
          {t('use_new_address')}
        </button>
      )}
      {isFirstRun && (
        <button type="button" class="button primary" onClick={onSetUp}>
          {t('set_up')}
        </button>
      )}
      <button
        type="button"
        class={isRetryFirst ? 'button primary' : 'button'}
        onClick={state.retry}
      >
        {t('try_now')}
      </button>
      <button type="button" class="button" onClick={state.discardQueued}>
        {t('discard_queued')}
      </button>
    </div>
  );
}

type RemainingLimitsProps = {
  limits: Limits;
  /** Whether the status line says when to retry: one countdown is enough. */
  isRetryShown: boolean;
};

/** How much of the rate limit and of the monthly quota is left, and when each resets. */
function RemainingLimits({ limits: { rate, quota }, isRetryShown }: RemainingLimitsProps) {
  const hidesReset = ({ remaining }: Limit) => isRetryShown && remaining === 0;
  return (
    <dl class="limits">
      {rate && <LimitRow name={t('limit_minute')} limit={rate} hidesReset={hidesReset(rate)} />}
      {quota && <LimitRow name={t('limit_month')} limit={quota} hidesReset={hidesReset(quota)} />}
    </dl>
  );
}

type LimitRowProps = { name: string; limit: Limit; hidesReset: boolean };

function LimitRow({ name, limit, hidesReset }: LimitRowProps) {
  const { resetsInSeconds } = limit;
  return (
    <div class="limit">
      <dt>{name}</dt>
      <dd>{t('limit_left', ...formatLeft(limit))}</dd>
      {resetsInSeconds > 0 && !hidesReset && (
        <dd class="reset">
          <Icon name="renew" />
          <span class="visually-hidden">{t('limit_resets')} </span>
          {formatReset(resetsInSeconds)}
        </dd>
      )}
    </div>
  );
}

type ErrorActionsProps = {
  remedy: ErrorText['remedy'];
  onTryAgain: () => void;
  onOpenSettings: () => void;
};

/** Buttons for an error whose text is in the status line. The first one helps, and gets the focus. */
function ErrorActions({ remedy, onTryAgain, onOpenSettings }: ErrorActionsProps) {
  if (remedy !== 'try_again' && remedy !== 'open_options') return null;
  const actions = [
    { label: t('try_again'), run: onTryAgain },
    { label: t('open_settings'), run: onOpenSettings },
  ];
  if (remedy === 'open_options') actions.reverse();
  return (
    <div class="actions">
      {actions.map(({ label, run }, index) => (
        <button
          type="button"
          class={index === 0 ? 'button primary' : 'button'}
          key={label}
          onClick={run}
        >
          {label}
        </button>
      ))}
    </div>
  );
}

type SecretWarningProps = { warning: Warning; state: PopupState; onCancel: () => void };

/** Nothing has been sent yet. The first button, which gets the focus, reveals the least. */
function SecretWarning({ warning, state, onCancel }: SecretWarningProps) {
  return (
    <>
      <p>{t('secret_found', formatSecrets(warning.secrets))}</p>
      <div class="actions">
        {warning.without !== undefined && (
          <button type="button" class="button primary" onClick={state.removeSecret}>
            {t('shorten_without_it')}
          </button>
        )}
        <button type="button" class="button" onClick={onCancel}>
          {t('cancel')}
        </button>
        {!warning.mustRemove && (
          <button type="button" class="button danger" onClick={state.acceptSecret}>
            {t('shorten_anyway')}
          </button>
        )}
      </div>
    </>
  );
}

type UrlChangesProps = { target: ShortenTarget; state: PopupState };

/** How the URL differs from the one in the tab or the one typed, with buttons to go back to those. */
function UrlChanges({ target, state }: UrlChangesProps) {
  const isChanged = target.unwrappedFrom !== undefined || target.removed.length > 0;
  return (
    <>
      {target.tabUrl !== undefined && (
        <p class="url-change">
          {t('canonical_url_used')}
          <button type="button" class="link-button" onClick={state.useTabUrl}>
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
                {formatList(target.removed)}
              </bdi>
            </>
          )}
          <button type="button" class="link-button" onClick={state.useFullUrl}>
            {t('use_full_url')}
          </button>
        </p>
      )}
    </>
  );
}

type OtherLinksProps = { links: LinkRecord[]; onChoose: (link: LinkRecord) => void };

/** The page's other links, such as those with a password or an expiry date. */
function OtherLinks({ links, onChoose }: OtherLinksProps) {
  return (
    <details class="other-links">
      <summary>
        <Icon name="chevron" />
        {formatCount('other_links', links.length)}
      </summary>
      <ul>
        {links.map((link) => (
          <li key={link.shortUrl}>
            <button type="button" class="link-button" onClick={() => onChoose(link)}>
              <bdi dir="ltr">{link.shortUrl.replace(/^https?:\/\//, '')}</bdi>
            </button>
            {linkFacts(link).map((fact) => (
              <span class="fact" key={fact}>
                {fact}
              </span>
            ))}
          </li>
        ))}
      </ul>
    </details>
  );
}

/**
 * A clicked button disappears with its view, and the focus falls back to the page. It moves to the
 * first button of the next view, or to the status line if that has none. A focus that is elsewhere,
 * such as in a field, is left alone.
 */
function useRestoreFocus(view: View): void {
  const before = useRef(view);
  useEffect(() => {
    // A popup that just opened works before anything was clicked: no focus was lost.
    const isOpening = before.current.name === 'working' && view.name === 'working';
    before.current = view;
    const status = document.querySelector<HTMLElement>('.stage .status');
    const { activeElement, body } = document;
    if (isOpening || (activeElement !== body && activeElement !== status)) return;
    const button = document.querySelector<HTMLElement>('.stage .actions button');
    (button ?? status)?.focus();
  }, [view]);
}
