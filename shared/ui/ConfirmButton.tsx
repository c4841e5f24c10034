import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { ConfirmDialog } from './ConfirmDialog.tsx';
import { restoreFocusAfter } from './restore-focus.ts';

export type ConfirmButtonProps = {
  label: string;
  /** For when the label alone is ambiguous. */
  ariaLabel?: string;
  title: string;
  children: ComponentChildren;
  confirm: string;
  onConfirm(): Promise<void>;
};

/** A button for an action that can't be undone. It asks for confirmation first. */
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
