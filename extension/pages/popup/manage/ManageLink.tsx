import { useEffect, useMemo, useRef } from 'preact/hooks';
import { t } from '../../../../shared/i18n/translate.ts';
import { Icon } from '../../../../shared/ui/Icon.tsx';
import { lazy } from '../../../../shared/ui/lazy.ts';
import type { PopupState } from '../state/popup-state.ts';
import { createManageState, isPaused, type ManagedLink } from './manage-state.ts';
import './manage.css';

/* Loaded on demand: most links stay as they are. */
const ManageFailure = lazy(async () => (await import('./ManageFailure.tsx')).ManageFailure);
const EditForm = lazy(async () => (await import('./EditForm.tsx')).EditForm);

export type ManageLinkProps = {
  opened: ManagedLink;
  popup: Pick<PopupState, 'send' | 'showEdited'>;
};

/** The buttons "Edit" and "Pause", for the bar below the result, and the form. */
export function ManageLink({ opened, popup }: ManageLinkProps) {
  const state = useMemo(
    () => createManageState({ ...opened, send: popup.send, onChange: popup.showEdited }),
    // It follows the link's changes by itself.
    [opened.link.serverState?.id],
  );
  const edit = useRef<HTMLButtonElement>(null);
  const { link } = state.shown.value;
  const failure = state.failure.value;
  const isEditing = state.isEditing.value;
  const paused = isPaused(state.shown.value);
  const pauseLabel = t(paused ? 'link_resume' : 'link_pause');
  const wasEditing = useRef(false);
  useEffect(() => {
    // The form with the focus is gone.
    if (wasEditing.current && !isEditing) edit.current?.focus();
    wasEditing.current = isEditing;
  }, [isEditing]);

  return (
    <div class="manage">
      <button
        type="button"
        class="button plain square"
        ref={edit}
        aria-label={t('link_edit')}
        title={t('link_edit')}
        aria-expanded={isEditing}
        onPointerEnter={EditForm.preload}
        onFocus={EditForm.preload}
        onClick={state.toggleForm}
      >
        <Icon name="edit" />
      </button>
      <button
        type="button"
        class="button plain square"
        aria-label={pauseLabel}
        title={pauseLabel}
        aria-disabled={state.isBusy.value}
        onClick={() => state.setActive(paused)}
      >
        <Icon name={paused ? 'resume' : 'pause'} />
      </button>
      <div class="manage-panel">
        <p role="status" class="manage-notice">
          {state.notice.value && (
            <>
              {t(state.notice.value)}{' '}
              <bdi dir="ltr">{link.shortUrl.replace(/^https?:\/\//, '')}</bdi>
            </>
          )}
        </p>
        <div role="alert" class={failure?.isMarked ? 'visually-hidden' : 'form-error'}>
          {failure && (
            <ManageFailure failure={failure} serverOrigin={opened.reference.serverOrigin} />
          )}
        </div>
        {isEditing && <EditForm state={state} />}
      </div>
    </div>
  );
}
