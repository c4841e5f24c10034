import type { Settings } from '../../config.ts';
import { SettingsError } from '../../lib/settings-error.ts';
import type { DomainBrand } from '../../store/domains.ts';
import { brandStyles } from './brand-color.ts';
import { BrandError } from './brand-error.ts';
import { type BrandLogo, readBrandLogo, toBrandLogo } from './brand-logo.ts';

/** How the pages of a domain look. */
export type Brand = {
  /** Plain text. */
  name: string;
  logo: BrandLogo | undefined;
  /** A style sheet. */
  styles: string | undefined;
};

export const PLAIN_BRAND: Brand = { name: 'Curt', logo: undefined, styles: undefined };

/** @throws SettingsError the logo can't be used, or the color has too little contrast */
export function loadBrand({
  brandName,
  brandLogo,
  brandColor,
}: Pick<Settings, 'brandName' | 'brandLogo' | 'brandColor'>): Brand {
  return {
    name: brandName ?? PLAIN_BRAND.name,
    logo:
      brandLogo === undefined ? undefined : inSetting('BRAND_LOGO', () => readBrandLogo(brandLogo)),
    styles:
      brandColor.length === 0 ? undefined : inSetting('BRAND_COLOR', () => brandStyles(brandColor)),
  };
}

export type BrandProblem = { part: 'logo' | 'color'; message: string };

/**
 * The brand of a domain. What it does not set, or what cannot be used, is the server's.
 *
 * @param onProblem called if the logo is no picture, or the color has too little contrast
 */
export function brandOf(
  { name, logo, color }: DomainBrand,
  server: Brand,
  onProblem: (problem: BrandProblem) => void,
): Brand {
  const use = <T>(part: BrandProblem['part'], load: () => T): T | undefined => {
    try {
      return load();
    } catch (error) {
      if (!(error instanceof BrandError)) throw error;
      onProblem({ part, message: error.message });
      return undefined;
    }
  };
  return {
    name: name ?? server.name,
    logo: (logo === null ? null : use('logo', () => toBrandLogo(fromDataUrl(logo)))) ?? server.logo,
    styles:
      (color === null ? null : use('color', () => brandStyles(color.split(',')))) ?? server.styles,
  };
}

function inSetting<T>(name: string, load: () => T): T {
  try {
    return load();
  } catch (error) {
    if (error instanceof BrandError) throw new SettingsError(`${name}: ${error.message}`);
    throw error;
  }
}

function fromDataUrl(url: string): Buffer {
  return Buffer.from(url.slice(url.indexOf(',') + 1), 'base64');
}
