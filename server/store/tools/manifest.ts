import { z } from 'zod';
import { isIntact, toLine } from '../json-file/files/checked-line.ts';

/** The archive's last entry: a checked line with the checksums of all others. */
export const MANIFEST_NAME = 'backup.json';

/** What an archive can contain. Anything else is not unpacked. */
export const ENTRY_NAME = /^((snapshot|journal)-\d{6,}\.jsonl|secret|audit\.jsonl|backup\.json)$/;

const manifestSchema = z.object({
  curt: z.literal('backup'),
  version: z.literal(1),
  created: z.iso.datetime(),
  files: z.array(
    z.object({
      name: z.string(),
      bytes: z.number(),
      /** In hexadecimal. */
      sha256: z.string(),
    }),
  ),
});
export type Manifest = z.output<typeof manifestSchema>;
/** The shape is part of `curt backup --json` and `curt restore --json`. */
export type BackupFile = Manifest['files'][number];

export function toManifestLine(manifest: Manifest): string {
  return toLine(JSON.stringify(manifest).slice(1, -1));
}

/** @returns undefined if it is damaged, or of a newer version */
export function parseManifest(bytes: Buffer): Manifest | undefined {
  if (!isIntact(bytes, 0, bytes.length - 1)) return undefined;
  return manifestSchema.safeParse(JSON.parse(bytes.toString())).data;
}
