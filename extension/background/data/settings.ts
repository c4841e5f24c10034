import type { Settings, SettingsChange } from '../../messaging/protocol.ts';
import { storedSettings } from '../../storage/items.ts';
import { parseServerAddress } from '../../urls/server-origin.ts';
import { readPolicy } from './policy.ts';

const LOCAL_SERVER = 'http://localhost:2878';

/** Set at build time: `WXT_CURT_SERVER=https://curt.example npm run build`. */
const DEFAULT_SERVER = originOf(import.meta.env.WXT_CURT_SERVER, LOCAL_SERVER);

export async function readSettings(): Promise<Settings> {
  const [stored, policy] = await Promise.all([storedSettings.read(), readPolicy()]);
  return {
    serverOrigin: originOf(stored.serverOrigin, DEFAULT_SERVER),
    optionsFirst: stored.optionsFirst ?? false,
    skipPopup: stored.skipPopup ?? false,
    copyAtOnce: stored.copyAtOnce ?? true,
    copyFormat: stored.copyFormat ?? 'url',
    stripTracking: stored.stripTracking ?? true,
    warnAboutSecrets: stored.warnAboutSecrets ?? true,
    preferCanonical: stored.preferCanonical ?? false,
    ...policy.values,
  };
}

/** Leaves settings that the policy fixes as they are: they count again once it no longer does. */
export async function saveSettings(changed: SettingsChange): Promise<Settings> {
  const { fixed } = await readPolicy();
  const own = { ...changed };
  for (const name of fixed) delete own[name];
  await storedSettings.update((stored) => ({ ...stored, ...own }));
  return readSettings();
}

export async function resetSettings(): Promise<Settings> {
  await storedSettings.update(() => ({}));
  return readSettings();
}

function originOf(address: string | undefined, fallback: string): string {
  const parsed = parseServerAddress(address ?? '');
  return parsed.ok ? parsed.origin : fallback;
}
