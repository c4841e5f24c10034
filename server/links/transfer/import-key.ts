import { createHash } from 'node:crypto';
import type { ImportSource } from '../../../shared/links/transfer.ts';
import type { ImportedLink } from './imported-link.ts';

/** 96 bits. Stored with each imported link, and compared within one account only. */
const KEY_BYTES = 12;

/** Identifies a link of another service by what does not change there. */
export function toImportKey(source: ImportSource, link: ImportedLink): string {
  const { alias, originalUrl, created } = link;
  return createHash('sha256')
    .update(JSON.stringify([source, alias, originalUrl.text, created]))
    .digest()
    .subarray(0, KEY_BYTES)
    .toString('base64url');
}
