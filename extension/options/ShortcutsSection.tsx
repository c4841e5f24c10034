import { t } from '../i18n.ts';
import type { Shortcut } from './shortcuts.ts';

export type ShortcutsSectionProps = {
  shortcuts: Shortcut[];
  onChange: () => void;
};

/** The keys as they are now. Only the browser may change them, on a page of its own. */
export function ShortcutsSection({ shortcuts, onChange }: ShortcutsSectionProps) {
  return (
    <section class="card" aria-labelledby="shortcuts-heading">
      <h2 id="shortcuts-heading">{t('shortcuts_heading')}</h2>
      <dl class="shortcuts">
        {shortcuts.map(({ command, label, keys }) => (
          <div class="shortcut" key={command}>
            <dt>{label}</dt>
            <dd>{keys ? <kbd dir="ltr">{keys}</kbd> : t('shortcut_none')}</dd>
          </div>
        ))}
      </dl>
      <div class="buttons">
        <button type="button" class="button" onClick={onChange}>
          {t('shortcuts_change')}
        </button>
        <p class="hint">{t('hint_shortcuts')}</p>
      </div>
    </section>
  );
}
