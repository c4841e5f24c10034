import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Runs a task once what needs it has ended: by default, the test. */
export type AtEnd = (task: () => void | Promise<void>) => void;

/** A temporary folder that is removed at the end. */
export async function newFolder(atEnd: AtEnd = onTestFinished): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'curt-test-'));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
