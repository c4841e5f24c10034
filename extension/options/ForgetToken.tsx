import { useRef } from 'preact/hooks';
import { t } from '../i18n.ts';

/** Asks before it forgets: a token without a copy is an account lost. */
export function ForgetToken({ onForget }: { onForget: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const close = () => dialog.current?.close();

  return (
    <>
      <button type="button" class="button danger" onClick={() => dialog.current?.showModal()}>
        {t('token_forget')}
      </button>
      <dialog ref={dialog} class="dialog" aria-labelledby="forget-question">
        <p id="forget-question">{t('token_forget_question')}</p>
        <div class="buttons end">
          <button type="button" class="button" onClick={close}>
            {t('cancel')}
          </button>
          <button
            type="button"
            class="button danger"
            onClick={() => {
              close();
              onForget();
            }}
          >
            {t('token_forget_confirm')}
          </button>
        </div>
      </dialog>
    </>
  );
}
