import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { formatWait } from '../../../shared/i18n/format-time.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { errorText } from '../../i18n/error-text.ts';
import type { Failure, QueuedRequest } from '../../messaging/protocol.ts';
import type { PopupState } from './state/popup-state.ts';
import './queue-list.css';

/** The queued requests of a server, oldest first. */
export function QueueList({ requests, state }: { requests: QueuedRequest[]; state: PopupState }) {
  return (
    <ul class="queue-list">
      {requests.map((request) => (
        <QueueRow key={request.id} request={request} state={state} />
      ))}
    </ul>
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
