import { closeSync, openSync, readSync } from 'node:fs';
import type { LinkJson } from '../../records/link-json.ts';
import type { LineRecord } from '../files/line-record.ts';

type LinePlace = { file: number; offset: number; length: number };

/** The position of each link's newest edit. Its content is read when needed, to save memory. */
export class NewestEdits {
  readonly #places = new Map<string, LinePlace>();
  readonly #files = new Map<string, number>();

  /** @param length of the line, without its line feed */
  add(linkId: string, path: string, offset: number, length: number): void {
    const file = this.#files.get(path) ?? openSync(path, 'r');
    this.#files.set(path, file);
    this.#places.set(linkId, { file, offset, length });
  }

  has(linkId: string): boolean {
    return this.#places.has(linkId);
  }

  /** The link after its newest edit; undefined if there was none. */
  read(linkId: string): LinkJson | undefined {
    const place = this.#places.get(linkId);
    if (!place) return undefined;
    const { file, offset, length } = place;
    const line = Buffer.allocUnsafe(length);
    for (let read = 0; read < length; ) {
      const more = readSync(file, line, read, length - read, offset + read);
      if (more === 0) throw new Error(`the line at byte ${offset} no longer exists`);
      read += more;
    }
    return (JSON.parse(line.toString()) as LineRecord).edit;
  }

  close(): void {
    for (const file of this.#files.values()) closeSync(file);
  }
}
