import { type PlainKey, t } from '../../../shared/i18n/translate.ts';
import { ConfirmButton } from '../../../shared/ui/ConfirmDialog.tsx';
import type { Quarantined } from '../../messaging/protocol.ts';
import { Card } from './Card.tsx';
import type { DataState, OptionsState } from './options-state.ts';

export function DataSection({ state }: { state: OptionsState }) {
  return (
    <Card
      name="data"
      heading={t('data_heading')}
      intro={t('data_intro')}
      note={state.notes.data.value}
    >
      <QuarantineList state={state.data} />
      <div class="buttons">
        <ConfirmButton
          label={t('erase')}
          title={t('erase_question')}
          confirm={t('erase_confirm')}
          onConfirm={state.eraseData}
        >
          <ul class="erased-items">
            <li>{t('erase_tokens')}</li>
            <li>{t('erase_links')}</li>
            <li>{t('erase_requests')}</li>
          </ul>
          <p>{t('erase_text')}</p>
        </ConfirmButton>
      </div>
    </Card>
  );
}

const ITEM_NAMES = new Map(
  Object.entries<PlainKey>({
    settings: 'settings',
    accountTokens: 'item_tokens',
    previousTokens: 'item_tokens',
    savedLinks: 'item_links',
    pendingRequests: 'item_requests',
  }),
);

/** Lists stored data that can't be read, for the user to download or delete. */
function QuarantineList({ state }: { state: DataState }) {
  const quarantined = state.quarantined.value;
  if (quarantined.length === 0) return null;
  return (
    <div class="rows divided">
      <h3>{t('quarantined_heading')}</h3>
      <p class="warning">{t('quarantined_text')}</p>
      <ul class="list">
        {quarantined.map((entry) => (
          <li class="list-row" key={entry.id}>
            <span>
              <strong>{nameOf(entry)}</strong>
              <br />
              <span class="hint">
                {t(entry.reason === 'newer' ? 'quarantined_newer' : 'quarantined_damaged')}
              </span>
            </span>
            <span class="buttons">
              <button
                type="button"
                class="button"
                aria-label={t('label_of', t('download'), nameOf(entry))}
                onClick={() => state.download(entry.id)}
              >
                {t('download')}
              </button>
              <ConfirmButton
                label={t('delete')}
                ariaLabel={t('label_of', t('delete'), nameOf(entry))}
                title={t('quarantined_delete_question')}
                confirm={t('quarantined_delete_confirm')}
                onConfirm={() => state.remove(entry.id)}
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
  return t(ITEM_NAMES.get(item.split(':')[0] ?? '') ?? 'item_misc');
}
