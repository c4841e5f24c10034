import { parseServerAddress } from '../../address/server-origin.ts';
import type { Settings, SettingsChange } from '../../messaging/protocol.ts';
import { storedSettings } from '../../storage/items.ts';

const LOCAL_SERVER = 'http://localhost:2878';

/**
 * `WXT_CURT_SERVER=https://curt.example npm run build` makes an extension for that server: WXT puts
 * variables with this prefix into the bundle.
 */
const DEFAULT_SERVER = originOr(LOCAL_SERVER, import.meta.env.WXT_CURT_SERVER);

export async function readSettings(): Promise<Settings> {
  const stored = await storedSettings.read();
  return {
    serverOrigin: originOr(DEFAULT_SERVER, stored.serverOrigin),
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

function originOr(otherwise: string, address: string | undefined): string {
  const parsed = parseServerAddress(address ?? '');
  return parsed.ok ? parsed.origin : otherwise;
}
