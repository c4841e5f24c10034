import { type PlainKey, shownLanguage, t } from '../../../i18n/translate.ts';

const DEVICES = new Map(
  Object.entries<PlainKey>({
    desktop: 'device_desktop',
    mobile: 'device_mobile',
    tablet: 'device_tablet',
  }),
);
const COUNTRY = /^[A-Z]{2}$/;

/** The name of a browser or system. */
export function valueName(key: string): string {
  if (key === 'other') return t('value_other');
  return key === 'unknown' ? t('value_unknown') : key;
}

export function referrerName(key: string): string {
  return key === 'direct' ? t('value_direct') : valueName(key);
}

export function deviceName(key: string): string {
  const name = DEVICES.get(key);
  return name ? t(name) : valueName(key);
}

/** @param key an ISO 3166-1 code */
export function countryName(key: string): string {
  if (!COUNTRY.test(key)) return valueName(key);
  return new Intl.DisplayNames(shownLanguage(), { type: 'region' }).of(key) ?? key;
}
