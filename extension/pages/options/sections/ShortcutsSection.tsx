import { useId } from 'preact/hooks';
import { t } from '../../../../shared/i18n/translate.ts';
import { areKeysOn, setKeysOn } from '../../../../shared/ui/links/keys/key-setting.ts';
import { ShortcutList } from '../../../ui/shortcuts/ShortcutList.tsx';
import type { Shortcut } from '../../../ui/shortcuts/shortcuts.ts';
import { Card } from '../Card.tsx';

export type ShortcutsSectionProps = {
  shortcuts: Shortcut[];
  onChange: () => void;
};

/** The current shortcuts, which only the browser can change, and the setting for keys on Curt's own pages. */
export function ShortcutsSection({ shortcuts, onChange }: ShortcutsSectionProps) {
  const id = useId();
  return (
    <Card name="shortcuts" heading={t('shortcuts_heading')}>
      <ShortcutList shortcuts={shortcuts} />
      <div class="buttons">
        <button type="button" class="button" onClick={onChange}>
          {t('shortcuts_change')}
        </button>
        <p class="hint">{t('hint_shortcuts')}</p>
      </div>
      <div class="toggle">
        <input
          type="checkbox"
          id={id}
          aria-describedby={`${id}-hint`}
          checked={areKeysOn()}
          onChange={({ currentTarget: { checked } }) => setKeysOn(checked)}
        />
        <label class="label" for={id}>
          {t('keys_setting')}
        </label>
        <p class="hint" id={`${id}-hint`}>
          {t('hint_keys_setting')}
        </p>
      </div>
    </Card>
  );
}
