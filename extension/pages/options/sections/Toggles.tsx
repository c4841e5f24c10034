import { useId } from 'preact/hooks';
import { t } from '../../../../shared/i18n/translate.ts';
import type { Settings } from '../../../messaging/protocol.ts';
import type { Toggle } from './setting-toggles.ts';

export type TogglesProps = {
  toggles: Toggle[];
  settings: Settings;
  /** Settings that the organization's policy fixes. */
  fixed: (keyof Settings)[];
  onChange: (change: Partial<Settings>) => void;
};

/** A checkbox per setting. Each change is saved at once. */
export function Toggles({ toggles, settings, fixed, onChange }: TogglesProps) {
  const id = useId();
  return (
    <>
      {toggles.map(({ setting, label, hint }) => (
        <div class="toggle" key={setting}>
          <input
            type="checkbox"
            name={setting}
            id={`${id}-${setting}`}
            aria-describedby={`${id}-${setting}-hint`}
            checked={settings[setting]}
            disabled={fixed.includes(setting)}
            onChange={(event) => onChange({ [setting]: event.currentTarget.checked })}
          />
          <label class="label" for={`${id}-${setting}`}>
            {t(label)}
          </label>
          <p class="hint" id={`${id}-${setting}-hint`}>
            {t(hint)} {fixed.includes(setting) && t('managed_setting')}
          </p>
        </div>
      ))}
    </>
  );
}
