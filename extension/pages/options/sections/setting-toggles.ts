import type { PlainKey } from '../../../../shared/i18n/translate.ts';
import type { Settings } from '../../../messaging/protocol.ts';

/** A setting that is on or off. */
export type Toggle = {
  setting: { [K in keyof Settings]: Settings[K] extends boolean ? K : never }[keyof Settings];
  label: PlainKey;
  hint: PlainKey;
};

export const SHORTENING_TOGGLES: Toggle[] = [
  { setting: 'skipPopup', label: 'setting_skip_popup', hint: 'hint_skip_popup' },
  { setting: 'optionsFirst', label: 'setting_options_first', hint: 'hint_options_first' },
  { setting: 'stripTracking', label: 'setting_strip_tracking', hint: 'hint_strip_tracking' },
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

export const COPYING_TOGGLES: Toggle[] = [
  { setting: 'copyAtOnce', label: 'setting_copy_at_once', hint: 'hint_copy_at_once' },
];
