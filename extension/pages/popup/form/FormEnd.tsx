import { t } from '../../../../shared/i18n/translate.ts';
import type { PopupState } from '../state/popup-state.ts';
import { FormError } from './FormError.tsx';
import { SlowNotice } from './SlowNotice.tsx';

export type LinkFormProps = {
  state: PopupState;
  serverOrigin: string | undefined;
  onClose: () => void;
};

/** Why the form failed, and its buttons. */
export function FormEnd({ state, serverOrigin, onClose }: LinkFormProps) {
  const isEdit = state.view.value.name === 'link';
  const isBusy = state.isSubmitting.value;
  return (
    <div class="form-end">
      <FormError failure={state.formFailure.value} serverOrigin={serverOrigin} />
      <SlowNotice isSlow={state.isSlow.value} serverOrigin={serverOrigin} onClose={onClose} />
      <div class="actions">
        <button type="submit" class="button primary" aria-disabled={isBusy}>
          {isEdit ? t(isBusy ? 'saving' : 'save') : t(isBusy ? 'working' : 'shorten')}
        </button>
        {isEdit && (
          <button type="button" class="button" onClick={state.closeForm}>
            {t('cancel')}
          </button>
        )}
      </div>
    </div>
  );
}
