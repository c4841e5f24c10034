import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../i18n/translate.ts';

export type DialogProps = {
  isOpen: boolean;
  title: string;
  /** What follows from it. */
  children: ComponentChildren;
  confirm: string;
  isDanger?: boolean;
  onConfirm: () => void;
  /** After either button, and after Escape. */
  onClose: () => void;
};

/**
 * Asks before something is done. The focus goes to the harmless button, and back to where it was
 * when the dialog closes; where that is gone, to the section's heading.
 */
export function Dialog({
  isOpen,
  title,
  children,
  confirm,
  isDanger = false,
  onConfirm,
  onClose,
}: DialogProps) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    if (isOpen) dialog.current?.showModal();
  }, [isOpen]);
  if (!isOpen) return null;

  return (
    <dialog
      ref={dialog}
      class="dialog"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      onClose={onClose}
    >
      <h3 id={`${id}-title`}>{title}</h3>
      <div class="dialog-text" id={`${id}-text`}>
        {children}
      </div>
      <div class="buttons end">
        <button type="button" class="button" onClick={() => dialog.current?.close()}>
          {t('cancel')}
        </button>
        <button
          type="button"
          class={isDanger ? 'button danger' : 'button primary'}
          onClick={() => {
            dialog.current?.close();
            onConfirm();
          }}
        >
          {confirm}
        </button>
      </div>
    </dialog>
  );
}
