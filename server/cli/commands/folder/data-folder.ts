import { resolve } from 'node:path';
import type { Context } from '../../context.ts';

/** The data folder that a command was given, or that of `STORE_URL`. */
export async function dataFolder(
  { environment }: Context,
  path: string | undefined,
): Promise<string> {
  if (path !== undefined) return resolve(path);
  const { folderOf } = await import('../../../store/store-url.ts');
  return folderOf(environment.storeUrl);
}
