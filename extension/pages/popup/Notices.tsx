import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import type { Limits } from '../../../shared/client.ts';
import { formatCount, formatLeft } from '../../../shared/i18n/plural.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { Icon } from '../../../shared/ui/Icon.tsx';
import { lazy } from '../../../shared/ui/lazy.ts';
import type { QueuedRequest } from '../../messaging/protocol.ts';
import { isPlainHttp } from '../../urls/server-origin.ts';
import type { PopupState } from './state/popup-state.ts';
import './notices.css';

const QueueList = lazy(async () => (await import('./QueueList.tsx')).QueueList);

/** The rate limit is shown from this many remaining requests on, the quota from this part of it on. */
const FEW_REQUESTS = 3;
const LOW_QUOTA = 0.2;

export type NoticesProps = { state: PopupState; serverOrigin: string };

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

/** How many requests wait for a server. Expands to the list of them. */
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
        onPointerEnter={QueueList.preload}
        onFocus={QueueList.preload}
        onClick={() => {
          isOpen.value = !isOpen.value;
        }}
      >
        <Icon name="chevron" />
        {formatCount('queued_links', requests.length, host)}
      </button>
      <div id={listId} hidden={!isOpen.value}>
        {isOpen.value && <QueueList requests={requests} state={state} />}
      </div>
    </section>
  );
}
