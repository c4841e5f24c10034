import { formatSecrets } from '../../../i18n/secrets-text.ts';
import { t } from '../../../i18n/translate.ts';
import type { SecretWarning } from '../../../messaging/protocol.ts';

export type SecretQuestionProps = {
  warning: SecretWarning;
  onAccept: () => void;
  onLeaveOut: () => void;
  onCancel: () => void;
};

/** Nothing has been sent. The button that sends the least is the first, and so has the focus. */
export function SecretQuestion({ warning, onAccept, onLeaveOut, onCancel }: SecretQuestionProps) {
  return (
    <>
      <p>{t('secret_found', formatSecrets(warning.secrets))}</p>
      <div class="actions">
        {warning.without !== undefined && (
          <button type="button" class="button primary" onClick={onLeaveOut}>
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
