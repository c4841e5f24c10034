import { useId } from 'preact/hooks';
import { t } from '../../../i18n/translate.ts';
import type { Settings } from '../../../messaging/protocol.ts';
import type { Choice } from './setting-toggles.ts';

export type ChoicesProps = {
  choices: Choice[];
  settings: Settings;
  onChange: (change: Partial<Settings>) => void;
};

/** A checkbox for each, saved at a click. */
export function Toggles({ choices, settings, onChange }: ChoicesProps) {
  const id = useId();
  return (
    <>
      {choices.map(({ setting, label, hint }) => (
        <div class="choice" key={setting}>
          <input
            type="checkbox"
            name={setting}
            id={`${id}-${setting}`}
            aria-describedby={`${id}-${setting}-hint`}
            checked={settings[setting]}
            onChange={(event) => onChange({ [setting]: event.currentTarget.checked })}
          />
          <label class="label" for={`${id}-${setting}`}>
            {t(label)}
          </label>
          <p class="hint" id={`${id}-${setting}-hint`}>
            {t(hint)}
          </p>
        </div>
      ))}
    </>
  );
}
