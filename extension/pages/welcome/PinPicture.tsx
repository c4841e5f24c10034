import { t } from '../../../shared/i18n/translate.ts';

const PIN = 'M280 86h8l-1.5 6 3 3.5h-11l3-3.5zM284 95.5v7';
/** A gear: its teeth, and the hole in it. */
const GEAR =
  'M284 88.5v-2.5M284 102v-2.5M278.5 94h-2.5M292 94h-2.5M280.1 90.1l-1.8-1.8M289.7 99.7l-1.8-1.8M280.1 97.9l-1.8 1.8M289.7 88.3l-1.8 1.8M284 89.2a4.8 4.8 0 1 0 0 9.6 4.8 4.8 0 0 0 0-9.6ZM284 93.9v.2';

/** The toolbar with the puzzle piece, and its menu with what to click beside Curt. The text says the same. */
export function PinPicture() {
  return (
    <svg class="pin-picture" viewBox="0 0 320 132" aria-hidden="true">
      <rect class="pin-frame" x="0.5" y="0.5" width="319" height="131" rx="8" />
      <rect class="pin-field" x="12" y="12" width="216" height="22" rx="11" />
      <circle class="pin-spot" cx="256" cy="23" r="16" />
      <path class="pin-line" d="M250 18h4.5a2.5 2.5 0 1 1 5 0h4.5v4.5a2.5 2.5 0 1 1 0 5v3.5h-14z" />
      <path class="pin-line" d="M292 17v.01M292 23v.01M292 29v.01" />
      <rect class="pin-menu" x="132" y="48" width="176" height="72" rx="8" />
      <rect class="pin-field" x="146" y="60" width="72" height="8" rx="4" />
      <image href="/icon/48.png" x="146" y="82" width="24" height="24" />
      <text class="pin-text" x="180" y="99">
        {t('extension_name')}
      </text>
      <circle class="pin-spot" cx="284" cy="94" r="16" />
      <path class="pin-line" d={import.meta.env.FIREFOX ? GEAR : PIN} />
    </svg>
  );
}
