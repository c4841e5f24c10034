import { t } from '../i18n.ts';
import { ShortcutList } from '../keyboard/ShortcutList.tsx';
import type { Shortcut } from '../keyboard/shortcuts.ts';
import { Card } from './Card.tsx';

export type ShortcutsSectionProps = {
  shortcuts: Shortcut[];
  onChange: () => void;
};

/** The keys as they are now. Only the browser may change them, on a page of its own. */
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
