import { formatTag, type PlainKey, t } from '../../i18n/translate.ts';
import { readableUrl } from '../../links/readable-url.ts';

const DEVICES = new Map(
  Object.entries<PlainKey>({
    desktop: 'device_desktop',
    mobile: 'device_mobile',
    tablet: 'device_tablet',
  }),
);
/** Regional indicator symbols: two of them are a flag. */
const REGIONAL_A = 0x1f1e6 - 'A'.charCodeAt(0);
const COUNTRY = /^[A-Z]{2}$/;

/** Returns the name of a browser or system. */
export function valueName(key: string): string {
  if (key === 'other') return t('value_other');
  return key === 'unknown' ? t('value_unknown') : key;
}

export function referrerName(key: string): string {
  return key === 'direct' ? t('value_direct') : valueName(key);
}

export function targetName(key: string): string {
  return valueName(readableUrl(key));
}

export function deviceName(key: string): string {
  const name = DEVICES.get(key);
  return name ? t(name) : valueName(key);
}

export function isCountry(key: string): boolean {
  return COUNTRY.test(key);
}

/** Returns the name of a country, after its flag if the system has flags. */
export function countryRowName(key: string): string {
  return isCountry(key) && hasFlags() ? `${flagOf(key)} ${countryName(key)}` : countryName(key);
}

function flagOf(country: string): string {
  const letters = [...country].map((letter) => REGIONAL_A + letter.charCodeAt(0));
  return String.fromCodePoint(...letters);
}

let flags: boolean | undefined;

/** Without a font that has flags, browsers show letters or boxes in the color of the text. */
function hasFlags(): boolean {
  flags ??= isDrawnInColor(flagOf('DE'));
  return flags;
}

function isDrawnInColor(text: string): boolean {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 16;
  const context = canvas.getContext('2d', { willReadFrequently: true });
  context?.fillText(text, 0, 12);
  const pixels = context?.getImageData(0, 0, 16, 16).data ?? [];
  return pixels.some((value, index) => index % 4 === 0 && value !== pixels[index + 1]);
}

/** @param key an ISO 3166-1 code */
export function countryName(key: string): string {
  if (!isCountry(key)) return valueName(key);
  return new Intl.DisplayNames(formatTag(), { type: 'region' }).of(key) ?? key;
}
