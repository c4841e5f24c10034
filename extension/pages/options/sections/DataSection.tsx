import { formatBytes } from '../../../../shared/i18n/format-bytes.ts';
import { t } from '../../../../shared/i18n/translate.ts';
import { ConfirmButton } from '../../../../shared/ui/ConfirmButton.tsx';
import { Card } from '../Card.tsx';
import type { OptionsState } from '../state/options-state.ts';
import { QuarantineList } from './QuarantineList.tsx';

export function DataSection({ state }: { state: OptionsState }) {
  const { bytesUsed, quotaBytes } = state.data.report.value;
  return (
    <Card
      name="data"
      heading={t('data_heading')}
      intro={t('data_intro')}
      note={state.notes.data.value}
    >
      {bytesUsed !== null && (
        <p>
          {quotaBytes === null
            ? t('storage_used', formatBytes(bytesUsed))
            : t('storage_used_of', formatBytes(bytesUsed), formatBytes(quotaBytes))}
        </p>
      )}
      <QuarantineList state={state.data} />
      <div class="buttons">
        <ConfirmButton
          label={t('reset')}
          title={t('reset_question')}
          confirm={t('reset_confirm')}
          onConfirm={state.reset}
        >
          <p>{t('reset_text')}</p>
        </ConfirmButton>
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
