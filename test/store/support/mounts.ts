import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { mkdtemp, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

function mount(folder: string, options: string): boolean {
  return spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder]).status === 0;
}

function unmount(folder: string): void {
  spawnSync('umount', ['--lazy', folder]);
}

/** Whether this machine lets us make small disks: Linux, and as root. */
export const canMount = (() => {
  const folder = mkdtempSync(join(tmpdir(), 'curt-mount-'));
  const works = mount(folder, 'size=64k');
  if (works) unmount(folder);
  rmdirSync(folder);
  return works;
})();

/** @param options of tmpfs, such as `size=64k` or `ro` */
export async function newDisk(options: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'curt-disk-'));
  if (!mount(folder, options)) throw new Error('the disk could not be mounted');
  onTestFinished(async () => {
    unmount(folder);
    await rmdir(folder);
  });
  return folder;
}
