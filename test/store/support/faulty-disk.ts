import { open } from 'node:fs/promises';
import type { OpenFile } from '../../../server/store/json-file/files/small-files.ts';

export type Operation = 'open' | 'write' | 'datasync' | 'sync' | 'truncate';

/** The real disk, with injected faults in the file handles, on which `datasync` can be held until it is released. */
export function faultyDisk() {
  const faults = new Map<Operation, string>();
  const done: Operation[] = [];
  let released = Promise.resolve();
  const check = (operation: Operation) => {
    done.push(operation);
    const code = faults.get(operation);
    if (code) throw Object.assign(new Error(`${code}: injected`), { code });
  };
  const openFile: OpenFile = async (path, flags, mode) => {
    check('open');
    const file = await open(path, flags, mode);
    const { datasync, sync, truncate } = file;
    const write: (...part: [Buffer, number, number, number]) => ReturnType<typeof file.write> =
      file.write.bind(file);
    return Object.assign(file, {
      async write(buffer: Buffer, offset: number, length: number, position: number) {
        // A full disk writes as much as fits.
        if (faults.has('write')) await write(buffer, offset, length >> 1, position);
        check('write');
        return write(buffer, offset, length, position);
      },
      async datasync() {
        await released;
        check('datasync');
        await datasync.call(file);
      },
      async sync() {
        check('sync');
        await sync.call(file);
      },
      async truncate(length: number) {
        check('truncate');
        await truncate.call(file, length);
      },
    });
  };
  const holdSyncs = () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    released = promise;
    return resolve;
  };
  return { openFile, faults, done, holdSyncs };
}
