import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { explain } from '../explain.ts';
import { t } from '../i18n.ts';
import type { Send, WaitingWish } from '../messages.ts';
import { formatWait } from '../when.ts';
import './waiting.css';

/** What waits, the oldest first. */
export function WaitingList({ waiting, send }: { waiting: WaitingWish[]; send: Send }) {
  return (
    <ul class="waiting-list">
      {waiting.map((wish) => (
        <WaitingRow key={wish.id} wish={wish} send={send} />
      ))}
    </ul>
  );
}

function WaitingRow({ wish, send }: { wish: WaitingWish; send: Send }) {
  const isTrying = useSignal(false);
  const address = wish.address.replace(/^https?:\/\//, '');
  const { title } = explain({ ok: false, code: wish.failure }, wish.serverOrigin);
  const seconds = (wish.retryAtMs - Date.now()) / 1000;

  const row = useRef<HTMLLIElement>(null);

  async function tryNow(): Promise<void> {
    if (isTrying.value) return;
    isTrying.value = true;
    await endWith(send('retryWish', { id: wish.id }));
    isTrying.value = false;
  }

  /** The row goes with its wish: the focus is handed on, unless it is elsewhere by then. */
  async function endWith(answer: Promise<{ ok: boolean }>): Promise<void> {
    const here = row.current;
    const heir = heirOf(here);
    if (!(await answer).ok) return;
    const { activeElement, body } = document;
    if (activeElement === body || here?.contains(activeElement)) heir?.focus();
  }

  return (
    <li class="waiting-row" ref={row}>
      <p class="waiting-address" dir="ltr" title={wish.address}>
        {address}
      </p>
      <p class="hint" role="status">
        {isTrying.value ? t('working') : `${title}. ${t('next_try', formatWait(seconds))}`}
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
          aria-label={`${t('drop_kept')}: ${address}`}
          onClick={() => void endWith(send('dropWish', { id: wish.id }))}
        >
          {t('drop_kept')}
        </button>
      </div>
    </li>
  );
}

/** A button of the next row, or of the one before; where there is none, the field above the list. */
function heirOf(row: Element | null): HTMLElement | null {
  const beside = row?.nextElementSibling ?? row?.previousElementSibling;
  return beside ? beside.querySelector('button') : document.querySelector('.address-form input');
}
