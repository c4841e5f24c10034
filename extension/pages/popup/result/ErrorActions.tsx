import { t } from '../../../../shared/i18n/translate.ts';
import type { FailureWithText } from '../state/view.ts';

export type ErrorActionsProps = {
  failure: FailureWithText;
  onTryAgain: () => void;
  onOpenSettings: () => void;
};

/** Buttons for an error whose text is in the status line. */
export function ErrorActions({ failure, onTryAgain, onOpenSettings }: ErrorActionsProps) {
  const { remedy } = failure.errorText;
  if (remedy !== 'try_again' && remedy !== 'open_options') return null;
  const leadsToSettings = remedy === 'open_options';
  return (
    <div class="actions">
      <button
        type="button"
        class={leadsToSettings ? 'button' : 'button primary'}
        onClick={onTryAgain}
      >
        {t('try_again')}
      </button>
      <button
        type="button"
        class={leadsToSettings ? 'button primary' : 'button'}
        onClick={onOpenSettings}
      >
        {t('open_settings')}
      </button>
    </div>
  );
}
