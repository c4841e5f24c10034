import { useSignal } from '@preact/signals';
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

  async function tryNow(): Promise<void> {
    if (isTrying.value) return;
    isTrying.value = true;
    await send('retryWish', { id: wish.id });
    isTrying.value = false;
  }

  return (
    <li class="waiting-row">
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
          onClick={() => void send('dropWish', { id: wish.id })}
        >
          {t('drop_kept')}
        </button>
      </div>
    </li>
  );
}
