import { t } from '../../../../shared/i18n/translate.ts';
import { formatSecrets } from '../../../i18n/secrets-text.ts';
import type { SecretWarning as Warning } from '../../../messaging/protocol.ts';

export type SecretWarningProps = {
  warning: Warning;
  onAccept: () => void;
  onRemove: () => void;
  onCancel: () => void;
};

/** Nothing has been sent yet. The first button, which gets the focus, reveals the least. */
export function SecretWarning({ warning, onAccept, onRemove, onCancel }: SecretWarningProps) {
  return (
    <>
      <p>{t('secret_found', formatSecrets(warning.secrets))}</p>
      <div class="actions">
        {warning.without !== undefined && (
          <button type="button" class="button primary" onClick={onRemove}>
            {t('shorten_without_it')}
          </button>
        )}
        <button type="button" class="button" onClick={onCancel}>
          {t('cancel')}
        </button>
        {!warning.mustRemove && (
          <button type="button" class="button danger" onClick={onAccept}>
            {t('shorten_anyway')}
          </button>
        )}
      </div>
    </>
  );
}
