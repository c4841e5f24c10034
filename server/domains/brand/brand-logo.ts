import { readFileSync, statSync } from 'node:fs';
import { SettingsError } from '../../lib/settings-error.ts';
import { BrandError } from './brand-error.ts';

const MAX_KIB = 256;
const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/**
 * What may be before the root element: white space with a byte order mark, an XML declaration, comments and a
 * document type. One at a time, since a pattern of all of them could take forever.
 */
const BEFORE_SVG = /[\s\uFEFF]+|<\?xml[^>]*>|<!--[\s\S]*?-->|<!DOCTYPE[^>[]*>/iy;
const SVG_START = /<svg[\s>]/iy;

export type BrandLogo = { content: Buffer; type: 'image/svg+xml' | 'image/png' };

/** @throws SettingsError the file can't be read, or is too large; BrandError see `toBrandLogo` */
export function readBrandLogo(path: string): BrandLogo {
  return toBrandLogo(readPicture(path));
}

/** What kind of picture it is, its content decides. @throws BrandError it is neither SVG nor PNG */
export function toBrandLogo(content: Buffer): BrandLogo {
  if (content.subarray(0, PNG_SIGNATURE.length).equals(PNG_SIGNATURE)) {
    return { content, type: 'image/png' };
  }
  if (isSvg(content.toString())) return { content, type: 'image/svg+xml' };
  throw new BrandError('This is neither an SVG nor a PNG picture.');
}

function isSvg(text: string): boolean {
  BEFORE_SVG.lastIndex = 0;
  do SVG_START.lastIndex = BEFORE_SVG.lastIndex;
  while (BEFORE_SVG.test(text));
  return SVG_START.test(text);
}

function readPicture(path: string): Buffer {
  try {
    const stats = statSync(path);
    if (!stats.isFile()) throw new SettingsError(`BRAND_LOGO: ${path} is not a file.`);
    if (stats.size > MAX_KIB * 1024) {
      throw new SettingsError(`BRAND_LOGO: ${path} has more than ${MAX_KIB} KiB.`);
    }
    return readFileSync(path);
  } catch (error) {
    if (error instanceof SettingsError) throw error;
    const { message } = error as Error;
    throw new SettingsError(`BRAND_LOGO: ${path} cannot be read: ${message}.`);
  }
}
