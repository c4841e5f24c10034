import { z } from 'zod';
import { COPY_FORMATS } from '../../shared/links/copy-format.ts';
import { parseServerAddress } from '../urls/server-origin.ts';

/** What users choose, apart from the server, with the descriptions for organizations. */
const choices = z.object({
  skipPopup: z
    .boolean()
    .describe('Whether a click on the button shortens and copies without opening the popup.'),
  optionsFirst: z
    .boolean()
    .describe(
      'Whether the popup opens with the options of a new link, which is created when they are submitted.',
    ),
  stripTracking: z
    .boolean()
    .describe('Whether tracking parameters are removed from a URL before it is shortened.'),
  sendTitles: z
    .boolean()
    .describe('Whether the title of a page is sent to the server, which only the account sees.'),
  warnAboutSecrets: z
    .boolean()
    .describe('Whether a URL that seems to contain a secret needs confirmation.'),
  preferCanonical: z
    .boolean()
    .describe("Whether a page's canonical URL or own short link replaces the tab's URL."),
  copyAtOnce: z.boolean().describe('Whether a new short link is copied automatically.'),
  copyFormat: z.enum(COPY_FORMATS).describe('What is copied.'),
});

/** The settings, as the background has them. */
export const settingsSchema = choices.extend({
  /** Origin of the server, for example `http://localhost:2878`. */
  serverOrigin: z.url(),
});

/**
 * What an organization can fix by policy (`storage.managed`). The build makes the schema that Chromium
 * reads of it.
 *
 * @see docs/managed-extension.md
 */
export const policySchema = z
  .object({
    server: z
      .string()
      .refine((address) => parseServerAddress(address).ok)
      .describe('Address of the server, such as https://s.example.com.'),
    ...choices.shape,
  })
  .partial();

/**
 * Returns the schema of the policy for Chromium, which knows a part of JSON Schema only: an object of typed
 * properties. Only the build needs it.
 *
 * @see https://developer.chrome.com/docs/extensions/reference/manifest/storage
 */
export function toManagedSchema() {
  const { type, properties } = z.toJSONSchema(policySchema, { io: 'input' });
  return { type, properties };
}
