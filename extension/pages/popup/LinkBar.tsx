import { useEffect, useRef } from 'preact/hooks';
import { t } from '../../../shared/i18n/translate.ts';
import { Icon } from '../../../shared/ui/Icon.tsx';
import { FormError, LinkForm } from './lazy-parts.ts';
import { PauseButton } from './result/PauseButton.tsx';
import type { PopupState } from './state/popup-state.ts';

export type LinkBarProps = { state: PopupState; onClose: () => void };

/** What else can be done with the link that is shown, and its options. Also those of a new link. */
export function LinkBar({ state, onClose }: LinkBarProps) {
  const view = state.view.value;
  const link = view.name === 'link' ? view : undefined;
  const isOpen = state.isFormOpen.value;
  const more = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(false);
  useEffect(() => {
    // The form with the focus is gone.
    if (wasOpen.current && !isOpen) more.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  const serverOrigin = state.settings.value?.serverOrigin;

  return (
    <section>
      {link?.isPrivate && link.link.serverState && (
        <p class="bar-note">{t('private_unchangeable')}</p>
      )}
      {state.keptDraft.value && !isOpen && (
        <p class="bar-note">
          {t('draft_kept')}{' '}
          <button type="button" class="link-button" onClick={state.continueDraft}>
            {t('draft_continue')}
          </button>{' '}
          <button type="button" class="link-button" onClick={state.discardDraft}>
            {t('discard_queued')}
          </button>
        </p>
      )}
      <div class="link-bar">
        {link?.reference && (
          <button
            type="button"
            class="button plain disclosure"
            ref={more}
            aria-expanded={isOpen}
            onPointerEnter={LinkForm.preload}
            onFocus={LinkForm.preload}
            onClick={isOpen ? state.leaveForm : state.openForm}
          >
            <Icon name="chevron" />
            {t('more')}
          </button>
        )}
        {link && (link.isExisting || link.isPagesOwn) && (
          <button type="button" class="button plain" onClick={state.createAnother}>
            {t('create_another')}
          </button>
        )}
        {link?.reference && <PauseButton link={link.link} state={state} />}
      </div>
      {/* The form has its own. */}
      {(view.name === 'deleted' || (link?.reference && !isOpen)) && (
        <FormError failure={state.formFailure.value} serverOrigin={serverOrigin} />
      )}
      {(view.name === 'ready' || isOpen) && (
        <LinkForm
          key={link?.link.serverState?.id}
          state={state}
          serverOrigin={serverOrigin}
          onClose={onClose}
        />
      )}
    </section>
  );
}
