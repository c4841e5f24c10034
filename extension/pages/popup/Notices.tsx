import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import type { Limits } from '../../../shared/client.ts';
import { isPlainHttp } from '../../address/server-origin.ts';
import { formatLeft, formatNumber } from '../../i18n/plural.ts';
import { t } from '../../i18n/translate.ts';
import type { QueuedRequest, Send } from '../../messaging/protocol.ts';
import { Icon } from '../../ui/Icon.tsx';
import { lazy } from '../../ui/lazy.ts';
import type { PopupState } from './state/popup-state.ts';
import './notices.css';

const WaitingList = lazy(async () => (await import('./QueueList.tsx')).WaitingList);

/** Calls of the minute from which on they are worth a word. */
const FEW_CALLS = 3;

export type NoticesProps = { state: PopupState; serverOrigin: string };

/** What is worth knowing of the server, said quietly at the foot. */
export function Notices({ state, serverOrigin }: NoticesProps) {
  const limits = state.view.value.name === 'link' ? state.limits.value : undefined;
  const servers = Map.groupBy(
    state.waiting.value,
    ({ serverOrigin }) => new URL(serverOrigin).host,
  );
  return (
    <footer>
      {[...servers].map(([host, waiting]) => (
        <Waiting key={host} host={host} waiting={waiting} send={state.send} />
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
  const isRateLow = rate && rate.remaining <= FEW_CALLS;
  if (!quota && !isRateLow) return null;
  return (
    <p class="notice">
      {quota && t('quota_line', ...formatLeft(quota))}{' '}
      {isRateLow && t('rate_line', ...formatLeft(rate))}
    </p>
  );
}

/** How many wishes wait for a server; opened, what they are. */
function Waiting({ host, waiting, send }: { host: string; waiting: QueuedRequest[]; send: Send }) {
  const isOpen = useSignal(false);
  const listId = useId();
  return (
    <section class="waiting">
      <button
        type="button"
        class="button plain disclosure"
        aria-expanded={isOpen.value}
        aria-controls={listId}
        onPointerEnter={WaitingList.preload}
        onFocus={WaitingList.preload}
        onClick={() => {
          isOpen.value = !isOpen.value;
        }}
      >
        <Icon name="chevron" />
        {t('queued_for', host, formatNumber(waiting.length))}
      </button>
      <div id={listId} hidden={!isOpen.value}>
        {isOpen.value && <WaitingList waiting={waiting} send={send} />}
      </div>
    </section>
  );
}
