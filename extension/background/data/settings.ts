import { browser } from 'wxt/browser';
import type { Policy, Settings, SettingsChange } from '../../messaging/protocol.ts';
import { policySchema } from '../../messaging/settings-schema.ts';
import { storedSettings } from '../../storage/items.ts';
import { parseServerAddress } from '../../urls/server-origin.ts';

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
    sendTitles: stored.sendTitles ?? true,
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

function originOf(address: string | undefined, fallback: string): string {
  const parsed = parseServerAddress(address ?? '');
  return parsed.ok ? parsed.origin : fallback;
}

/** Reads the settings that the organization's policy fixes, and what of it is not valid. */
export async function readPolicy(): Promise<Policy & { values: Partial<Settings> }> {
  const values: Partial<Settings> = {};
  const invalid: string[] = [];
  for (const [name, value] of Object.entries(await readManaged())) {
    const parsed = policySchema.safeParse({ [name]: value });
    // Each by itself, so that one that is not valid leaves the others in force.
    if (!Object.hasOwn(policySchema.shape, name) || !parsed.success) invalid.push(name);
    else Object.assign(values, toSettings(parsed.data));
  }
  return { values, fixed: Object.keys(values) as (keyof Settings)[], invalid };
}

function toSettings({ server, ...others }: ReturnType<typeof policySchema.parse>) {
  const address = parseServerAddress(server ?? '');
  return { ...others, ...(address.ok && { serverOrigin: address.origin }) };
}

/** Firefox rejects the call if there is no policy. */
async function readManaged(): Promise<Record<string, unknown>> {
  try {
    return await browser.storage.managed.get();
  } catch {
    return {};
  }
}
