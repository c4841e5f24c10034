import { createHash } from 'node:crypto';
import type { ImportSource } from '../../../shared/links/transfer.ts';
import type { PlacedLink } from './place-link.ts';

/** 96 bits. Stored with each imported link, and compared within one account only. */
const KEY_BYTES = 12;

/** Identifies a link of another service by what does not change there. */
export function toImportKey(source: ImportSource, link: PlacedLink): string {
  const { alias, domain, originalUrl, created } = link;
  return createHash('sha256')
    .update(JSON.stringify([source, domain, alias, originalUrl.text, created]))
    .digest()
    .subarray(0, KEY_BYTES)
    .toString('base64url');
}
