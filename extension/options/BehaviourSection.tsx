import { useId } from 'preact/hooks';
import { COPY_FORMATS, type CopyFormat } from '../copy-format.ts';
import { Field } from '../Field.tsx';
import { type PlainKey, t } from '../i18n.ts';
import type { Settings } from '../messages.ts';

const FORMAT_LABELS = {
  url: 'format_url',
  markdown: 'format_markdown',
  title_and_url: 'format_title_and_url',
} as const satisfies Record<CopyFormat, PlainKey>;

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
        <Field label={t('setting_copy_format')}>
          {(control) => (
            <select
              {...control}
              class="input"
              name="copy-format"
              value={settings.copyFormat}
              onChange={(event) =>
                onChange({ copyFormat: event.currentTarget.value as CopyFormat })
              }
            >
              {COPY_FORMATS.map((format) => (
                <option key={format} value={format}>
                  {t(FORMAT_LABELS[format])}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Choice
          name="clean-addresses"
          label={t('setting_clean_addresses')}
          hint={t('hint_clean_addresses')}
          isOn={settings.cleanAddresses}
          onChange={(cleanAddresses) => onChange({ cleanAddresses })}
        />
        <Choice
          name="warn-of-secrets"
          label={t('setting_warn_of_secrets')}
          hint={t('hint_warn_of_secrets')}
          isOn={settings.warnOfSecrets}
          onChange={(warnOfSecrets) => onChange({ warnOfSecrets })}
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
