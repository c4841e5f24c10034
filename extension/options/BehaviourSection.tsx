import { useId } from 'preact/hooks';
import { t } from '../i18n.ts';
import type { Settings } from '../messages.ts';

export type BehaviourSectionProps = {
  settings: Settings;
  onChange: (change: Partial<Settings>) => void;
};

/** What happens by itself. Saved at each click. */
export function BehaviourSection({ settings, onChange }: BehaviourSectionProps) {
  return (
    <section class="card" aria-labelledby="behaviour-heading">
      <h2 id="behaviour-heading">{t('behaviour_heading')}</h2>
      <div class="rows">
        <Choice
          name="skip-popup"
          label={t('setting_skip_popup')}
          hint={t('hint_skip_popup')}
          isOn={settings.skipPopup}
          onChange={(skipPopup) => onChange({ skipPopup })}
        />
        <Choice
          name="shorten-at-once"
          label={t('setting_shorten_at_once')}
          hint={t('hint_shorten_at_once')}
          isOn={settings.shortenAtOnce}
          onChange={(shortenAtOnce) => onChange({ shortenAtOnce })}
        />
        <Choice
          name="copy-at-once"
          label={t('setting_copy_at_once')}
          hint={t('hint_copy_at_once')}
          isOn={settings.copyAtOnce}
          onChange={(copyAtOnce) => onChange({ copyAtOnce })}
        />
      </div>
    </section>
  );
}

type ChoiceProps = {
  name: string;
  label: string;
  hint: string;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
};

function Choice({ name, label, hint, isOn, onChange }: ChoiceProps) {
  const id = useId();
  return (
    <div class="choice">
      <input
        type="checkbox"
        name={name}
        id={id}
        aria-describedby={`${id}-hint`}
        checked={isOn}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <label class="label" for={id}>
        {label}
      </label>
      <p class="hint" id={`${id}-hint`}>
        {hint}
      </p>
    </div>
  );
}
