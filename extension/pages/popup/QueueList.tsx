import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { errorText } from '../../i18n/error-text.ts';
import { formatWait } from '../../i18n/format-time.ts';
import { t } from '../../i18n/translate.ts';
import type { Failure, QueuedRequest, Send } from '../../messaging/protocol.ts';
import './queue-list.css';

/** What waits, the oldest first. */
export function WaitingList({ waiting, send }: { waiting: QueuedRequest[]; send: Send }) {
  return (
    <ul class="waiting-list">
      {waiting.map((pending) => (
        <WaitingRow key={pending.id} pending={pending} send={send} />
      ))}
    </ul>
  );
}

function WaitingRow({ pending, send }: { pending: QueuedRequest; send: Send }) {
  const isTrying = useSignal(false);
  /** Why the last press came to nothing. */
  const failure = useSignal<Failure | undefined>(undefined);
  const address = pending.address.replace(/^https?:\/\//, '');
  const row = useRef<HTMLLIElement>(null);
  // While the row and its focus are still there.
  useLayoutEffect(() => () => handOnFocus(row.current), []);

  async function tryNow(): Promise<void> {
    if (isTrying.value) return;
    isTrying.value = true;
    await endWith(send('retryRequest', { id: pending.id }));
    isTrying.value = false;
  }

  async function endWith(asked: Promise<{ ok: true } | Failure>): Promise<void> {
    failure.value = undefined;
    const answer = await asked;
    // What is kept on says so itself, by its wish.
    if (!answer.ok && !answer.queued) failure.value = answer;
  }

  return (
    <li class="waiting-row" ref={row}>
      <p class="waiting-address" dir="ltr" title={pending.address}>
        {address}
      </p>
      <p class="hint" role="status">
        {isTrying.value ? t('working') : formatStatus(pending, failure.value)}
      </p>
      <div class="waiting-actions">
        <button
          type="button"
          class="link-button"
          aria-disabled={isTrying.value}
          aria-label={`${t('try_now')}: ${address}`}
          onClick={() => void tryNow()}
        >
          {t('try_now')}
        </button>
        <button
          type="button"
          class="link-button"
          aria-label={`${t('discard_queued')}: ${address}`}
          onClick={() => void endWith(send('discardRequest', { id: pending.id }))}
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
  return `${title}. ${latest ? text : t('next_try', formatWait(seconds))}`;
}

/**
 * A row goes with its wish, and has the focus where one of its buttons was pressed. A button of the
 * next row takes it, or of the one before; where there is none, the field above the list.
 */
function handOnFocus(row: Element | null): void {
  if (!row?.contains(document.activeElement)) return;
  const beside = row.nextElementSibling ?? row.previousElementSibling;
  // Once all are gone that go: the row beside may be one of them.
  queueMicrotask(() => {
    const heir = beside?.isConnected
      ? beside.querySelector('button')
      : document.querySelector<HTMLElement>('.address-form input');
    heir?.focus();
  });
}
