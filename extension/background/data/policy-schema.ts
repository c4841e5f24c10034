import { z } from 'zod';
import { COPY_FORMATS } from '../../links/copy-format.ts';
import { parseServerAddress } from '../../urls/server-origin.ts';

/**
 * What an organization can fix by policy (`storage.managed`). The build makes the schema that Chromium
 * reads of it.
 *
 * @see docs/managed-extension.md
 */
export const policySchema = z.object({
  server: z
    .string()
    .refine((address) => parseServerAddress(address).ok)
    .optional()
    .describe('Address of the server, such as https://s.example.com.'),
  skipPopup: z
    .boolean()
    .optional()
    .describe('Whether a click on the button shortens and copies without opening the popup.'),
  optionsFirst: z
    .boolean()
    .optional()
    .describe(
      'Whether the popup opens with the options of a new link, which is created when they are submitted.',
    ),
  stripTracking: z
    .boolean()
    .optional()
    .describe('Whether tracking parameters are removed from a URL before it is shortened.'),
  warnAboutSecrets: z
    .boolean()
    .optional()
    .describe('Whether a URL that seems to contain a secret needs confirmation.'),
  preferCanonical: z
    .boolean()
    .optional()
    .describe("Whether a page's canonical URL or own short link replaces the tab's URL."),
  copyAtOnce: z.boolean().optional().describe('Whether a new short link is copied automatically.'),
  copyFormat: z.enum(COPY_FORMATS).optional().describe('What is copied.'),
});
