import { open } from 'node:fs/promises';
import { join } from 'node:path';

/** @returns a function that resolves once its line is on disk, with one fdatasync for many lines */
export async function appendDurably(folder = ''): Promise<(line: string) => Promise<void>> {
  const file = await open(join(folder, 'links.jsonl'), 'a');
  let waiting: { line: string; done: () => void }[] = [];
  let isWriting = false;

  async function write(): Promise<void> {
    isWriting = true;
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      await file.write(batch.map(({ line }) => `${line}\n`).join(''));
      await file.datasync();
      for (const { done } of batch) done();
    }
    isWriting = false;
  }

  return (line) =>
    new Promise((done) => {
      waiting.push({ line, done });
      if (!isWriting) void write();
    });
}
