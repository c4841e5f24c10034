import { type PlainKey, t } from '../../../i18n/translate.ts';
import type { Quarantined } from '../../../messaging/protocol.ts';
import { ConfirmButton } from '../../../ui/ConfirmButton.tsx';
import type { DataState } from '../state/data-state.ts';

const ITEM_NAMES: Record<string, PlainKey> = {
  settings: 'settings',
  accountTokens: 'item_tokens',
  previousTokens: 'item_tokens',
  links: 'item_links',
  madeLinks: 'item_links',
  pendingRequests: 'item_requests',
};

/** Says what could not be read, and hands it over: perhaps a person can make something of it. */
export function QuarantineList({ state }: { state: DataState }) {
  const { quarantined } = state.report.value;
  if (quarantined.length === 0) return null;
  return (
    <div class="rows divided">
      <h3>{t('quarantined_heading')}</h3>
      <p class="warning">{t('quarantined_text')}</p>
      <ul class="list">
        {quarantined.map((one) => (
          <li class="list-row" key={one.id}>
            <span>
              <strong>{nameOf(one)}</strong>
              <br />
              <span class="hint">
                {t(one.reason === 'newer' ? 'quarantined_newer' : 'quarantined_damaged')}
              </span>
            </span>
            <span class="buttons">
              <button
                type="button"
                class="button"
                aria-label={`${t('download')}: ${nameOf(one)}`}
                onClick={() => state.download(one.id)}
              >
                {t('download')}
              </button>
              <ConfirmButton
                label={t('delete')}
                ariaLabel={`${t('delete')} ${nameOf(one)}`}
                title={t('quarantined_delete_question')}
                confirm={t('quarantined_delete_confirm')}
                onConfirm={() => state.remove(one.id)}
              >
                <p>{t('quarantined_delete_text')}</p>
              </ConfirmButton>
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function nameOf({ item }: Quarantined): string {
  return t(ITEM_NAMES[item.split(':')[0] ?? ''] ?? 'item_misc');
}
