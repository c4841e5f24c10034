import { LIMIT_CODES, type SystemResponse } from '../../shared/admin/system.ts';
import type { Settings } from '../config.ts';
import { isPostgresUrl } from '../lib/postgres-url.ts';
import { VERSION } from '../lib/version.ts';
import { isoTime } from '../links/to-link-record.ts';
import type { Traffic } from '../metrics/traffic.ts';
import { type Store, StoreUnavailableError } from '../store/store.ts';

export type SystemDependencies = {
  settings: Pick<Settings, 'storeUrl'>;
  store: Pick<Store, 'metrics' | 'checkWritable' | 'administration'>;
  traffic: Pick<Traffic, 'errors'>;
  /** What was wrong with the settings or the data at the start. */
  warnings: readonly string[];
};

/** What an operator wants to know about this server. @param started milliseconds since the epoch */
export async function readSystem(
  started: number,
  { settings, store, traffic, warnings }: SystemDependencies,
): Promise<SystemResponse['data']> {
  const { dataBytes, failedWrites } = store.metrics();
  const lastBackup = await store.administration.lastBackup();
  return {
    version: VERSION,
    started: isoTime(started),
    store: {
      kind: isPostgresUrl(settings.storeUrl) ? 'postgresql' : 'json-file',
      bytes: dataBytes,
      isWritable: await isWritable(store),
      failedWrites,
      lastBackup: lastBackup === undefined ? null : isoTime(lastBackup),
    },
    limitsReached: LIMIT_CODES.flatMap((code) => {
      const count = traffic.errors.get(code) ?? 0;
      return count > 0 ? [{ code, count }] : [];
    }),
    warnings: [...warnings],
  };
}

async function isWritable(store: SystemDependencies['store']): Promise<boolean> {
  try {
    await store.checkWritable();
    return true;
  } catch (error) {
    if (error instanceof StoreUnavailableError) return false;
    throw error;
  }
}
