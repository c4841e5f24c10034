import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { readData } from '../../store/support/read-data.ts';
import type { TestData } from './test-data.ts';

/** A temporary folder. */
export async function folderData(): Promise<TestData> {
  const folder = await mkdtemp(join(tmpdir(), 'curt-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
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
