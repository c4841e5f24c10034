import { formatCount } from '../../../i18n/plural.ts';
import { t } from '../../../i18n/translate.ts';
import { ConfirmDialog } from '../../ConfirmDialog.tsx';
import type { AllChanger } from '../state/change-all.ts';

/** Asks before all links of a list are changed, with their number as the server counts it. */
export function ConfirmAll({ changer }: { changer: AllChanger }) {
  const pending = changer.pending.value;
  if (!pending) return null;
  const label = t(pending.label);
  return (
    <ConfirmDialog
      isOpen
      title={t('label_of', label, formatCount('links_count', pending.count))}
      confirm={label}
      isDanger={pending.change.isDeleted === true}
      onConfirm={() => void changer.confirm()}
      onClose={changer.dismiss}
    >
      <p>{t('bulk_all_text')}</p>
    </ConfirmDialog>
  );
}
