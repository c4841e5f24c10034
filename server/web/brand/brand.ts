import type { Settings } from '../../config.ts';
import { brandStyles } from './brand-color.ts';
import { type BrandLogo, readBrandLogo } from './brand-logo.ts';

const PRODUCT_NAME = 'Curt';

/** How the operator's pages look. */
export type Brand = {
  /** Plain text. */
  name: string;
  logo: BrandLogo | undefined;
  /** A style sheet. */
  styles: string | undefined;
};

/** @throws SettingsError the logo can't be used, or the color has too little contrast */
export function loadBrand({
  brandName,
  brandLogo,
  brandColor,
}: Pick<Settings, 'brandName' | 'brandLogo' | 'brandColor'>): Brand {
  return {
    name: brandName ?? PRODUCT_NAME,
    logo: brandLogo === undefined ? undefined : readBrandLogo(brandLogo),
    styles: brandColor.length === 0 ? undefined : brandStyles(brandColor),
  };
}
