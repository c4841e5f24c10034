import { useId } from 'preact/hooks';
import { type PlainKey, t } from '../../../shared/i18n/translate.ts';
import { COPY_FORMATS, type CopyFormat } from '../../../shared/links/copy-format.ts';
import { DomainSelect } from '../../../shared/ui/DomainSelect.tsx';
import { Field, SelectField } from '../../../shared/ui/Field.tsx';
import { areKeysOn, setKeysOn } from '../../../shared/ui/keys.ts';
import type { Settings } from '../../messaging/protocol.ts';
import { type Shortcut, ShortcutList } from '../../ui/Shortcuts.tsx';
import { Card } from './Card.tsx';
import type { NoteSignal } from './note.ts';
import type { OptionsState } from './options-state.ts';

export function ShorteningSection({ state }: { state: OptionsState }) {
  const choices = state.domains.value;
  return (
    <Card name="shortening" heading={t('shortening_heading')} note={state.notes.shortening.value}>
      <Toggles toggles={SHORTENING_TOGGLES} state={state} note={state.notes.shortening} />
      {choices && (
        <Field label={t('default_domain_label')} hint={t('default_domain_hint')}>
          {(control) => (
            <DomainSelect
              {...control}
              domains={choices.domains}
              value={choices.chosen}
              onChoose={state.chooseDomain}
            />
          )}
        </Field>
      )}
    </Card>
  );
}

const FORMAT_LABELS = {
  url: 'format_url',
  markdown: 'format_markdown',
  title_and_url: 'format_title_and_url',
} as const satisfies Record<CopyFormat, PlainKey>;

export function CopyingSection({ state }: { state: OptionsState }) {
  const note = state.notes.copying;
  const isFormatFixed = state.isFixed('copyFormat');
  return (
    <Card name="copying" heading={t('copying_heading')} note={note.value}>
      <Toggles toggles={COPYING_TOGGLES} state={state} note={note} />
      <SelectField
        label={t('setting_copy_format')}
        hint={isFormatFixed ? t('managed_setting') : undefined}
        name="copyFormat"
        options={COPY_FORMATS.map((value) => ({ value, label: t(FORMAT_LABELS[value]) }))}
        value={state.settings.value.copyFormat}
        disabled={isFormatFixed}
        onChoose={(copyFormat) => state.save({ copyFormat }, note)}
      />
    </Card>
  );
}

/** A setting that is on or off. */
type Toggle = {
  setting: { [K in keyof Settings]: Settings[K] extends boolean ? K : never }[keyof Settings];
  label: PlainKey;
  hint: PlainKey;
};

const SHORTENING_TOGGLES: Toggle[] = [
  { setting: 'skipPopup', label: 'setting_skip_popup', hint: 'hint_skip_popup' },
  { setting: 'optionsFirst', label: 'setting_options_first', hint: 'hint_options_first' },
  { setting: 'stripTracking', label: 'setting_strip_tracking', hint: 'hint_strip_tracking' },
  { setting: 'sendTitles', label: 'setting_send_titles', hint: 'hint_send_titles' },
  {
    setting: 'warnAboutSecrets',
    label: 'setting_warn_about_secrets',
    hint: 'hint_warn_about_secrets',
  },
  {
    setting: 'preferCanonical',
    label: 'setting_prefer_canonical',
    hint: 'hint_prefer_canonical',
  },
];

const COPYING_TOGGLES: Toggle[] = [
  { setting: 'copyAtOnce', label: 'setting_copy_at_once', hint: 'hint_copy_at_once' },
];

type TogglesProps = { toggles: Toggle[]; state: OptionsState; note: NoteSignal };

/** A checkbox per setting. Each change is saved at once. */
function Toggles({ toggles, state, note }: TogglesProps) {
  return (
    <>
      {toggles.map(({ setting, label, hint }) => (
        <ToggleRow
          key={setting}
          name={setting}
          label={t(label)}
          hint={`${t(hint)} ${state.isFixed(setting) ? t('managed_setting') : ''}`}
          checked={state.settings.value[setting]}
          disabled={state.isFixed(setting)}
          onToggle={(isOn) => state.save({ [setting]: isOn }, note)}
        />
      ))}
    </>
  );
}

type ToggleRowProps = {
  name?: string;
  label: string;
  hint: string;
  checked: boolean;
  disabled?: boolean;
  onToggle: (isOn: boolean) => void;
};

function ToggleRow({ label, hint, onToggle, ...input }: ToggleRowProps) {
  const id = useId();
  return (
    <div class="toggle">
      <input
        {...input}
        type="checkbox"
        id={id}
        aria-describedby={`${id}-hint`}
        onChange={({ currentTarget: { checked } }) => onToggle(checked)}
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

type ShortcutsSectionProps = {
  shortcuts: Shortcut[];
  onChange: () => void;
};

/** Renders the current shortcuts, which only the browser can change, and the setting for keys on Curt's own pages. */
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
      <ToggleRow
        label={t('keys_setting')}
        hint={t('hint_keys_setting')}
        checked={areKeysOn()}
        onToggle={setKeysOn}
      />
    </Card>
  );
}
