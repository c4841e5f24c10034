import { useEffect, useMemo, useRef } from 'preact/hooks';
import { formatCount } from '../../../../shared/i18n/plural.ts';
import { t } from '../../../../shared/i18n/translate.ts';
import { lazy } from '../../../../shared/ui/lazy.ts';
import { FormError } from '../form/FormError.tsx';
import type { PopupState } from '../state/popup-state.ts';
import { createManageState, isPaused, type ManagedLink } from './manage-state.ts';
import './manage.css';

/** Loaded on demand: most links stay as they are. */
const EditForm = lazy(async () => (await import('./EditForm.tsx')).EditForm);

export type ManageLinkProps = {
  opened: ManagedLink;
  /** Whether the link was created before this popup was opened. */
  isExisting: boolean;
  popup: Pick<PopupState, 'send' | 'showEdited'>;
};

/** Today's visits, "Edit" and "Pause". */
export function ManageLink({ opened, isExisting, popup }: ManageLinkProps) {
  const state = useMemo(
    () => createManageState({ ...opened, send: popup.send, onChange: popup.showEdited }),
    // It follows the link's changes by itself.
    [opened.link.managed?.id],
  );
  const edit = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isExisting) void state.readVisits();
  }, [state, isExisting]);
  const { link } = state.shown.value;
  const isEditing = state.isEditing.value;
  const paused = isPaused(state.shown.value);
  const wasEditing = useRef(false);
  useEffect(() => {
    // The form with the focus is gone.
    if (wasEditing.current && !isEditing) edit.current?.focus();
    wasEditing.current = isEditing;
  }, [isEditing]);

  return (
    <div class="manage">
      <div class="manage-bar">
        <button
          type="button"
          class="button plain"
          ref={edit}
          aria-expanded={isEditing}
          onPointerEnter={EditForm.preload}
          onFocus={EditForm.preload}
          onClick={state.toggleForm}
        >
          {t('link_edit')}
        </button>
        <button
          type="button"
          class="button plain"
          aria-disabled={state.isBusy.value}
          onClick={() => state.setActive(paused)}
        >
          {t(paused ? 'link_resume' : 'link_pause')}
        </button>
        {state.visitsToday.value !== undefined && (
          <span class="manage-visits">{formatCount('visits_today', state.visitsToday.value)}</span>
        )}
      </div>
      <p role="status" class="manage-notice">
        {state.notice.value && (
          <>
            {t(state.notice.value)}{' '}
            <bdi dir="ltr">{link.shortUrl.replace(/^https?:\/\//, '')}</bdi>
          </>
        )}
      </p>
      <FormError
        failure={state.failure.value}
        serverOrigin={opened.reference.serverOrigin}
        isAtField={Object.keys(state.issues.value).length > 0}
      />
      {isEditing && <EditForm state={state} />}
    </div>
  );
}
