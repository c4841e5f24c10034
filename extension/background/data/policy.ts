import { browser } from 'wxt/browser';
import type { Policy, Settings } from '../../messaging/protocol.ts';
import { parseServerAddress } from '../../urls/server-origin.ts';
import { policySchema } from './policy-schema.ts';

/** The settings that the organization's policy fixes, and what of it is not valid. */
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
