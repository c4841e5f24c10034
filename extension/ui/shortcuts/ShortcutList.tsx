import { t } from '../../../shared/i18n/translate.ts';
import type { Shortcut } from './shortcuts.ts';

/** The current keyboard shortcuts. */
export function ShortcutList({ shortcuts }: { shortcuts: Shortcut[] }) {
  return (
    <dl class="shortcuts">
      {shortcuts.map(({ command, label, keys }) => (
        <div class="shortcut" key={command}>
          <dt>{label}</dt>
          <dd>{keys ? <kbd dir="ltr">{keys}</kbd> : t('shortcut_none')}</dd>
        </div>
      ))}
    </dl>
  );
}
