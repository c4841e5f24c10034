import { parseServerAddress } from '../../address/server-origin.ts';
import type { Settings, SettingsChange } from '../../messaging/protocol.ts';
import { storedSettings } from '../../storage/items.ts';

const LOCAL_SERVER = 'http://localhost:2878';

/** Set at build time: `WXT_CURT_SERVER=https://curt.example npm run build`. */
const DEFAULT_SERVER = originOf(import.meta.env.WXT_CURT_SERVER, LOCAL_SERVER);

export async function readSettings(): Promise<Settings> {
  const stored = await storedSettings.read();
  return {
    serverOrigin: originOf(stored.serverOrigin, DEFAULT_SERVER),
    shortenAtOnce: stored.shortenAtOnce ?? true,
    skipPopup: stored.skipPopup ?? false,
    copyAtOnce: stored.copyAtOnce ?? true,
    copyFormat: stored.copyFormat ?? 'url',
    stripTracking: stored.stripTracking ?? true,
    warnAboutSecrets: stored.warnAboutSecrets ?? true,
    preferCanonical: stored.preferCanonical ?? false,
  };
}

export async function saveSettings(changed: SettingsChange): Promise<Settings> {
  await storedSettings.update((stored) => ({ ...stored, ...changed }));
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
