import { z } from 'zod';
import { policySchema } from './policy-schema.ts';

/**
 * The schema of the policy for Chromium, which knows a part of JSON Schema only: an object of typed
 * properties. Only the build needs it.
 *
 * @see https://developer.chrome.com/docs/extensions/reference/manifest/storage
 */
export function toManagedSchema() {
  const { type, properties } = z.toJSONSchema(policySchema, { io: 'input' });
  return { type, properties };
}
