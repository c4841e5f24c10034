import { resolve } from 'node:path';
import type { Context } from '../../context.ts';

/**
 * The data folder that a command was given, or that of `STORE_URL`.
 *
 * @throws BackupError `no_data` if it has no data
 */
export async function dataFolder(
  { environment }: Context,
  path: string | undefined,
): Promise<string> {
  const { folderTools } = await import('../../../store/folder-tools.ts');
  const { folderOf } = await import('../../../store/store-url.ts');
  const folder = path === undefined ? folderOf(environment.storeUrl) : resolve(path);
  folderTools.assertData(folder);
  return folder;
}
