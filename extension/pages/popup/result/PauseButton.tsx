import { t } from '../../../../shared/i18n/translate.ts';
import { statusOf } from '../../../../shared/links/shown-link.ts';
import { Icon } from '../../../../shared/ui/Icon.tsx';
import type { LinkSummary } from '../../../links/link.ts';
import type { PopupState } from '../state/popup-state.ts';

export type PauseButtonProps = { link: LinkSummary; state: PopupState };

/** Pauses the link, or resumes it. */
export function PauseButton({ link, state }: PauseButtonProps) {
  const isPaused = statusOf(link) === 'inactive';
  const label = t(isPaused ? 'link_resume' : 'link_pause');
  return (
    <button
      type="button"
      class="button plain square"
      aria-label={label}
      title={label}
      aria-disabled={state.isSubmitting.value}
      onClick={state.togglePause}
    >
      <Icon name={isPaused ? 'resume' : 'pause'} />
    </button>
  );
}
