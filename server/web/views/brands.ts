import { type Brand, brandOf } from '../../domains/brand/brand.ts';
import type { ShortDomains } from '../../domains/short-domains.ts';
import type { DomainSettings } from '../../store/domains.ts';
import { type Asset, toAsset } from './asset.ts';

export const LOGO_PATH = '/assets/brand-logo';
export const STYLES_PATH = '/assets/brand.css';
/** An SVG that is opened as a page of its own runs nothing and loads nothing. */
const LOGO_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'";

/** What the layout of pages shows of a brand. */
export type ShownBrand = {
  name: string;
  icon: { url: string; type: string };
  stylesUrl: string | undefined;
  /** The files that it names. */
  logo: Asset | undefined;
  styles: Asset | undefined;
};

/** The brand of the server, and those of its domains. */
export class Brands {
  readonly server: ShownBrand;
  readonly #brand: Brand;
  readonly #domains: ShortDomains;
  readonly #onWarning: (message: string) => void;
  readonly #known = new WeakMap<DomainSettings, ShownBrand>();

  constructor(brand: Brand, domains: ShortDomains, onWarning: (message: string) => void) {
    this.#brand = brand;
    this.#domains = domains;
    this.#onWarning = onWarning;
    this.server = toShown(brand);
  }

  /** @param host of a request */
  ofHost(host: string): ShownBrand {
    const { settings, host: domain } = this.#domains.ofHost(host);
    if (!settings.brand) return this.server;
    let shown = this.#known.get(settings);
    if (!shown) {
      // A rule may have changed since it was set.
      const brand = brandOf(settings.brand, this.#brand, ({ part, message }) =>
        this.#onWarning(`The ${part} of the domain ${domain} is not used: ${message}`),
      );
      shown = toShown(brand);
      this.#known.set(settings, shown);
    }
    return shown;
  }
}

function toShown({ name, logo, styles }: Brand): ShownBrand {
  const icon = logo && toAsset(LOGO_PATH, logo.content, logo.type, LOGO_POLICY);
  const sheet =
    styles === undefined
      ? undefined
      : toAsset(STYLES_PATH, Buffer.from(styles), 'text/css; charset=utf-8');
  return {
    name,
    icon: icon
      ? { url: icon.url, type: icon.type }
      : { url: '/favicon.svg', type: 'image/svg+xml' },
    stylesUrl: sheet?.url,
    logo: icon,
    styles: sheet,
  };
}
