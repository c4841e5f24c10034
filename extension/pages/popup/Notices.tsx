import './notices.css';
import { useSignal } from '@preact/signals';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import type { Limits } from '../../../shared/client.ts';
import { formatWait } from '../../../shared/i18n/format-wait.ts';
import { formatCount, formatLeft } from '../../../shared/i18n/plural.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { Icon } from '../../../shared/ui/Icon.tsx';
import { errorText } from '../../i18n/error-text.ts';
import type { Failure, QueuedRequest } from '../../messaging/protocol.ts';
import { isPlainHttp } from '../../urls/server-origin.ts';
import type { PopupState } from './state/popup-state.ts';

/** The rate limit is shown from this many remaining requests on, the quota from this part of it on. */
const FEW_REQUESTS = 3;
const LOW_QUOTA = 0.2;

type NoticesProps = { state: PopupState; serverOrigin: string };

/** Notices about the server and its queue, at the end of the popup. */
export function Notices({ state, serverOrigin }: NoticesProps) {
  const limits = state.view.value.name === 'link' ? state.limits.value : undefined;
  const queuedByHost = Map.groupBy(
    state.queued.value,
    ({ serverOrigin }) => new URL(serverOrigin).host,
  );
  return (
    <footer>
      {[...queuedByHost].map(([host, requests]) => (
        <QueueSection key={host} host={host} requests={requests} state={state} />
      ))}
      {limits && <LimitsLine limits={limits} />}
      {state.showLoopbackNotice.value && <p class="notice">{t('notice_loopback')}</p>}
      {isPlainHttp(serverOrigin) && (
        <p class="notice notice-warning">{t('notice_plain_http', new URL(serverOrigin).host)}</p>
      )}
    </footer>
  );
}

function LimitsLine({ limits: { rate, quota } }: { limits: Limits }) {
  const isRateLow = rate && rate.remaining <= FEW_REQUESTS;
  const isQuotaLow = quota && quota.remaining <= LOW_QUOTA * quota.limit;
  if (!isQuotaLow && !isRateLow) return null;
  return (
    <p class="notice">
      {isQuotaLow && t('quota_line', ...formatLeft(quota))}{' '}
      {isRateLow && t('rate_line', ...formatLeft(rate))}
    </p>
  );
}

type QueueSectionProps = { host: string; requests: QueuedRequest[]; state: PopupState };

/** How many requests wait for a server. Expands to the list of them, oldest first. */
function QueueSection({ host, requests, state }: QueueSectionProps) {
  const isOpen = useSignal(false);
  const listId = useId();
  return (
    <section class="queue">
      <button
        type="button"
        class="button plain disclosure"
        aria-expanded={isOpen.value}
        aria-controls={listId}
        onClick={() => {
          isOpen.value = !isOpen.value;
        }}
      >
        <Icon name="chevron" />
        {formatCount('queued_links', requests.length, host)}
      </button>
      <div id={listId} hidden={!isOpen.value}>
        {isOpen.value && (
          <ul class="queue-list">
            {requests.map((request) => (
              <QueueRow key={request.id} request={request} state={state} />
            ))}
          </ul>
        )}
      </div>
    </section>
  );
}

function QueueRow({ request, state }: { request: QueuedRequest; state: PopupState }) {
  const isTrying = useSignal(false);
  /** The failure of the last click on a button of this row. */
  const failure = useSignal<Failure | undefined>(undefined);
  const url = request.url.replace(/^https?:\/\//, '');
  const row = useRef<HTMLLIElement>(null);
  // A layout effect runs its cleanup while the row still has the focus.
  useLayoutEffect(() => () => passOnFocus(row.current), []);

  async function tryNow(): Promise<void> {
    if (isTrying.value) return;
    isTrying.value = true;
    await showAnswer(state.retryRequest(request.id));
    isTrying.value = false;
  }

  async function showAnswer(sent: Promise<{ ok: true } | Failure>): Promise<void> {
    failure.value = undefined;
    const answer = await sent;
    // A request that stays queued brings its own failure.
    if (!answer.ok && !answer.queued) failure.value = answer;
  }

  return (
    <li class="queue-row" ref={row}>
      <p class="queue-url" dir="ltr" title={request.url}>
        {url}
      </p>
      <p class="hint" role="status">
        {isTrying.value ? t('working') : formatStatus(request, failure.value)}
      </p>
      <div class="queue-actions">
        <button
          type="button"
          class="link-button"
          aria-disabled={isTrying.value}
          aria-label={t('label_of', t('try_now'), url)}
          onClick={() => void tryNow()}
        >
          {t('try_now')}
        </button>
        <button
          type="button"
          class="link-button"
          aria-label={t('label_of', t('discard_queued'), url)}
          onClick={() => void showAnswer(state.discardRequest(request.id))}
        >
          {t('discard_queued')}
        </button>
      </div>
    </li>
  );
}

function formatStatus(request: QueuedRequest, latest: Failure | undefined): string {
  const failure: Failure = latest ?? { ok: false, code: request.failure };
  const { title, text } = errorText(failure, request.serverOrigin);
  const seconds = (request.retryAtMs - Date.now()) / 1000;
  return t('title_and_text', title, latest ? text : t('next_try', formatWait(seconds)));
}

/**
 * A row whose button was clicked has the focus when it disappears. The focus moves to a button of the
 * next row or the previous one, or to the URL field when the list is empty.
 */
function passOnFocus(row: Element | null): void {
  if (!row?.contains(document.activeElement)) return;
  const neighbor = row.nextElementSibling ?? row.previousElementSibling;
  // After all removals of this update: the neighbor may be removed too.
  queueMicrotask(() => {
    const target = neighbor?.isConnected
      ? neighbor.querySelector('button')
      : document.querySelector<HTMLElement>('.url-form input');
    target?.focus();
  });
}
