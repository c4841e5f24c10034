/** A brand that cannot be used: a color with too little contrast, or a logo that is no picture. */
export class BrandError extends Error {
  override name = 'BrandError';
}
