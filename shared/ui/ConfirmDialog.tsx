import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../i18n/translate.ts';
import { Form } from './Form.tsx';
import { restoreFocusAfter } from './restore-focus.ts';

type ConfirmDialogProps = {
  isOpen: boolean;
  title: string;
  /** The consequences. */
  children: ComponentChildren;
  confirm: string;
  isDanger?: boolean;
  /** If it returns false, the dialog stays open: a field of it is not valid. @default always */
  mayConfirm?: () => boolean;
  onConfirm: () => void;
  /** Called after either button and after Escape. */
  onClose: () => void;
};

/**
 * Asks for confirmation. The focus moves to the safe button, and returns to where it was when the
 * dialog closes, or to the section's heading if that control is gone.
 */
export function ConfirmDialog({
  isOpen,
  title,
  children,
  confirm,
  isDanger = false,
  mayConfirm,
  onConfirm,
  onClose,
}: ConfirmDialogProps) {
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
      {/* A form, so that Enter in a field confirms, too. */}
      <Form
        class="rows"
        onSubmit={() => {
          if (mayConfirm?.() === false) return;
          dialog.current?.close();
          onConfirm();
        }}
      >
        <h3 id={`${id}-title`}>{title}</h3>
        <div class="dialog-text" id={`${id}-text`}>
          {children}
        </div>
        <div class="buttons end">
          <button type="button" class="button" onClick={() => dialog.current?.close()}>
            {t('cancel')}
          </button>
          <button type="submit" class={isDanger ? 'button danger' : 'button primary'}>
            {confirm}
          </button>
        </div>
      </Form>
    </dialog>
  );
}

type ConfirmButtonProps = {
  label: string;
  /** For when the label alone is ambiguous. */
  ariaLabel?: string;
  title: string;
  children: ComponentChildren;
  confirm: string;
  onConfirm(): Promise<void>;
};

/** Renders a button for an action that can't be undone. It asks for confirmation first. */
export function ConfirmButton({
  label,
  ariaLabel,
  title,
  children,
  confirm,
  onConfirm,
}: ConfirmButtonProps) {
  const isOpen = useSignal(false);
  const button = useRef<HTMLButtonElement>(null);

  return (
    <>
      <button
        type="button"
        class="button danger"
        ref={button}
        aria-label={ariaLabel}
        onClick={() => {
          isOpen.value = true;
        }}
      >
        {label}
      </button>
      <ConfirmDialog
        isOpen={isOpen.value}
        title={title}
        confirm={confirm}
        isDanger
        onConfirm={() => void restoreFocusAfter(button.current, onConfirm)}
        onClose={() => {
          isOpen.value = false;
        }}
      >
        {children}
      </ConfirmDialog>
    </>
  );
}
