import { t } from '../../../shared/i18n/translate.ts';
import { ConfirmDialog } from '../../../shared/ui/ConfirmDialog.tsx';

type SignOutDialogProps = { onConfirm(): void; onClose(): void };

/** Asks before a token is deleted that may be the only copy. */
export function SignOutDialog({ onConfirm, onClose }: SignOutDialogProps) {
  return (
    <ConfirmDialog
      isOpen
      title={t('sign_out_question')}
      confirm={t('sign_out')}
      isDanger
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <p>{t('sign_out_text')}</p>
    </ConfirmDialog>
  );
}
