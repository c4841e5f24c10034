import { t } from '../../../../shared/i18n/translate.ts';
import { ShortcutList } from '../../../ui/shortcuts/ShortcutList.tsx';
import type { Shortcut } from '../../../ui/shortcuts/shortcuts.ts';
import { Card } from '../Card.tsx';

export type ShortcutsSectionProps = {
  shortcuts: Shortcut[];
  onChange: () => void;
};

/** The current shortcuts. Only the browser can change them, on its own page. */
export function ShortcutsSection({ shortcuts, onChange }: ShortcutsSectionProps) {
  return (
    <Card name="shortcuts" heading={t('shortcuts_heading')}>
      <ShortcutList shortcuts={shortcuts} />
      <div class="buttons">
        <button type="button" class="button" onClick={onChange}>
          {t('shortcuts_change')}
        </button>
        <p class="hint">{t('hint_shortcuts')}</p>
      </div>
    </Card>
  );
}
