import { statSync, writeFileSync } from 'node:fs';
import { headerLine } from '../../../server/store/json-file/files/file-header.ts';
import { journalPath, readGenerations } from '../../../server/store/json-file/files/generations.ts';
import { compact } from '../../../server/store/json-file/journal/compact.ts';

/** Compacts the folder of a closed store, as the store does in its worker. */
export function compactFolder(folder: string, now: number): void {
  const { snapshot, journals } = readGenerations(folder);
  const extents = journals.map((generation) => {
    return { generation, bytes: statSync(journalPath(folder, generation)).size };
  });
  const last = extents.at(-1);
  if (!last) throw new Error('the folder has no journal');
  compact({ folder, snapshot, journals: extents, now });
  const next = last.generation + 1;
  writeFileSync(journalPath(folder, next), headerLine('journal', next, last.bytes), {
    mode: 0o600,
  });
}
