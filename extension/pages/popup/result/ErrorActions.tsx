import { t } from '../../../../shared/i18n/translate.ts';
import type { FailureWithText } from '../state/view.ts';

export type ErrorActionsProps = {
  failure: FailureWithText;
  onTryAgain: () => void;
  onOpenSettings: () => void;
};

/** Buttons for an error whose text is in the status line. The first one helps, and gets the focus. */
export function ErrorActions({ failure, onTryAgain, onOpenSettings }: ErrorActionsProps) {
  const { remedy } = failure.errorText;
  if (remedy !== 'try_again' && remedy !== 'open_options') return null;
  const actions = [
    { label: t('try_again'), run: onTryAgain },
    { label: t('open_settings'), run: onOpenSettings },
  ];
  if (remedy === 'open_options') actions.reverse();
  return (
    <div class="actions">
      {actions.map(({ label, run }, index) => (
        <button
          type="button"
          class={index === 0 ? 'button primary' : 'button'}
          key={label}
          onClick={run}
        >
          {label}
        </button>
      ))}
    </div>
  );
}
