import { open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Adapter } from 'lowdb';
import { StoreOpenError } from '../store.ts';
import { DATA_VERSION, type Data, dataSchema } from './data.ts';

/**
 * lowdb's adapter for one JSON file that survives a power cut: lowdb's own renames without fsync.
 * A write goes to a temporary file, which is synced and renamed over the old one; then the folder
 * is synced, since it is what holds the name. At every moment the file is whole, old or new.
 */
export class DurableJsonFile implements Adapter<Data> {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /**
   * @returns null where there is no file yet
   * @throws StoreOpenError the file is not ours to read; it stays as it is
   */
  async read(): Promise<Data | null> {
    let text: string;
    try {
      text = await readFile(this.#path, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
    return parseData(text, this.#path);
  }

  async write(data: Data): Promise<void> {
    // Before the first await: what changes afterwards belongs to the next write.
    const text = JSON.stringify(data, null, 1);
    const temporary = `${this.#path}.tmp`;
    try {
      const file = await open(temporary, 'w', 0o600);
      try {
        await file.writeFile(text);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(temporary, this.#path);
      await syncFolder(dirname(this.#path));
    } catch (error) {
      // A full disk needs the room; a folder that is gone has nothing to remove.
      await rm(temporary, { force: true }).catch(() => undefined);
      throw error;
    }
  }
}

export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

function parseData(text: string, path: string): Data {
  const advice =
    'Nothing was changed. Mend the file, or put a backup in its place, and start again.';
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new StoreOpenError(`${path} is not whole: ${(error as SyntaxError).message}. ${advice}`);
  }
  const version = (json as { version?: unknown } | null)?.version;
  if (typeof version === 'number' && version > DATA_VERSION) {
    throw new StoreOpenError(
      `${path} was written by a newer Curt (format ${version}; this one reads ${DATA_VERSION}). ` +
        'Nothing was changed. Start that version, or a newer one.',
    );
  }
  const data = dataSchema.safeParse(json);
  if (data.success) return data.data;
  const issue = data.error.issues[0];
  throw new StoreOpenError(
    `${path} is not as Curt writes it: ${issue?.path.join('.') || 'the whole'}: ${issue?.message}. ${advice}`,
  );
}
