import { journalPath, readGenerations, snapshotPath } from '../files/generations.ts';
import { LineFile } from '../files/line-file.ts';

/** The files of the newest complete state. They can be read while they are open, even if a server removes them. */
export type DataFiles = {
  folder: string;
  snapshot: DataFile | undefined;
  /** In order; empty in a new folder. */
  journals: DataFile[];
  close: () => void;
};

export type DataFile = { generation: number; file: LineFile };

/** A server that compacts removes files, but rarely. */
const ATTEMPTS = 10;

export function openDataFiles(folder: string): DataFiles {
  for (let attempt = 1; ; attempt++) {
    const { snapshot, journals } = readGenerations(folder);
    const opened: LineFile[] = [];
    const open = (generation: number, path: string): DataFile => {
      const file = new LineFile(path);
      opened.push(file);
      return { generation, file };
    };
    const close = () => {
      for (const file of opened) file.close();
    };
    try {
      return {
        folder,
        snapshot:
          snapshot === undefined ? snapshot : open(snapshot, snapshotPath(folder, snapshot)),
        journals: journals.map((generation) => open(generation, journalPath(folder, generation))),
        close,
      };
    } catch (error) {
      close();
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || attempt === ATTEMPTS) throw error;
    }
  }
}
