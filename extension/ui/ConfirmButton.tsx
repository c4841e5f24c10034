import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { Dialog } from './ConfirmDialog.tsx';
import { keepFocus } from './restore-focus.ts';

export type ConfirmButtonProps = {
  label: string;
  /** Where the label alone does not say what it is about. */
  ariaLabel?: string;
  title: string;
  children: ComponentChildren;
  confirm: string;
  onConfirm(): Promise<void>;
};

/** A button for what cannot be undone: it asks first. */
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
      <Dialog
        isOpen={isOpen.value}
        title={title}
        confirm={confirm}
        isDanger
        onConfirm={() => void keepFocus(button.current, onConfirm)}
        onClose={() => {
          isOpen.value = false;
        }}
      >
        {children}
      </Dialog>
    </>
  );
}
