import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { REASON_MAX_CHARACTERS } from '../../../../shared/bounds.ts';
import { t } from '../../../../shared/i18n/translate.ts';
import { ConfirmDialog } from '../../../../shared/ui/ConfirmDialog.tsx';
import { InputField } from '../../../../shared/ui/Field.tsx';
import { restoreFocusAfter } from '../../../../shared/ui/restore-focus.ts';
import { needed, useTyped } from './typed.ts';

type ConfirmActionProps = {
  label: string;
  /** For when the label alone is ambiguous. */
  ariaLabel?: string;
  title: string;
  confirm: string;
  /** What follows, a sentence each. Read when the dialog opens. */
  consequences(): Promise<string[]> | string[];
  /** Asks why. Who reads the reason. */
  reasonHint?: string;
  /** Whether the dialog may open, for a button of a form. @default always */
  isValid?(): boolean;
  onConfirm(reason: string): Promise<unknown>;
};

/** Renders a button for an action that others feel. It says first what follows. */
export function ConfirmAction(props: ConfirmActionProps) {
  const { label, ariaLabel, isValid = () => true } = props;
  /** As it was at the click: meanwhile, a form may name something else. */
  const opened = useSignal<{ asked: ConfirmActionProps; texts: string[] } | undefined>(undefined);
  const button = useRef<HTMLButtonElement>(null);
  const { asked, texts } = opened.value ?? { asked: props, texts: [] };
  const { title, confirm, reasonHint } = asked;
  const reason = useTyped(reasonHint === undefined ? undefined : needed('admin_reason_missing'));

  const open = useOneAtATime(async () => {
    if (!isValid()) return;
    const texts = await props.consequences();
    reason.clear();
    opened.value = { asked: props, texts };
  });

  return (
    <>
      <button
        type="button"
        class="button danger"
        ref={button}
        aria-label={ariaLabel}
        onClick={open}
      >
        {label}
      </button>
      <ConfirmDialog
        isOpen={opened.value !== undefined}
        title={title}
        confirm={confirm}
        isDanger
        mayConfirm={reason.check}
        onConfirm={() => void restoreFocusAfter(button.current, () => asked.onConfirm(reason.text))}
        onClose={() => {
          opened.value = undefined;
        }}
      >
        {texts.map((text) => (
          <p key={text}>{text}</p>
        ))}
        {reasonHint !== undefined && (
          <InputField
            label={t('admin_reason')}
            hint={reasonHint}
            name="reason"
            {...reason.field}
            maxLength={REASON_MAX_CHARACTERS}
          />
        )}
      </ConfirmDialog>
    </>
  );
}

/** Returns an action that does nothing while it still runs: a double click would carry it out twice. */
export function useOneAtATime(act: () => Promise<void>): () => Promise<void> {
  const isRunning = useRef(false);
  return async () => {
    if (isRunning.current) return;
    isRunning.current = true;
    try {
      await act();
    } finally {
      isRunning.current = false;
    }
  };
}
