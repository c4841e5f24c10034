import { rename } from 'node:fs/promises';
import { readData } from '../../store/support/read-data.ts';
import { type AtEnd, newFolder } from '../../support/new-folder.ts';
import type { TestData } from './test-data.ts';

/** A temporary folder. */
export async function folderData(atEnd?: AtEnd): Promise<TestData> {
  const folder = await newFolder(atEnd);
  let wasTakenAway = false;
  return {
    url: `file:${folder}`,
    read: () => readData(folder),
    takeAway: () => {
      wasTakenAway = true;
      return rename(folder, `${folder}-away`);
    },
    bringBack: () => rename(`${folder}-away`, folder),
    wasTakenAway: () => wasTakenAway,
  };
}
