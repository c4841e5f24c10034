import { z } from 'zod';

const utc = () => z.iso.datetime();

/**
 * A link as the API tells it. Every field is always there, but `newAuthToken` and `qrCode`.
 * Source: specification, "Link record"; contract, "Response".
 */
export const linkRecordSchema = z.object({
  id: z.string().describe('Identifier of the link.'),
  alias: z.string().describe('Ending of the short URL.'),
  shortUrl: z.url().describe('The short URL.'),
  originalUrl: z.url().describe('The long URL, as sent but for the prefixed protocol.'),
  customAlias: z.string().describe('The alias that was asked for; empty when none was.'),
  domain: z.string().describe('Host, and port where there is one, of the short URL.'),
  title: z.string().describe('Empty when none was given.'),
  description: z.string().nullable().describe('Null when none was given.'),
  hasPassword: z.boolean().describe('Whether visitors must enter a password.'),
  isActive: z.boolean().describe('Whether the link works.'),
  expiresAt: utc().nullable().describe('When it stops working, in UTC; null for never.'),
  hits: z.number().describe('Visitors sent to the target; 0 on creation.'),
  waitTimer: z.number().describe('Seconds of waiting on the preview page.'),
  created: utc().describe('When it was made, in UTC.'),
  modified: utc().describe('When it was last changed, in UTC.'),
  authToken: z.string().describe("The account's token."),
  newAuthToken: z.string().optional().describe('The same, when this call opened the account.'),
  qrCode: z.string().optional().describe('With `generateQR`: a `data:image/png;base64,…` URL.'),
});
export type LinkRecord = z.output<typeof linkRecordSchema>;

/** The 200 of `POST /api/shorten`. */
export const shortenAnswerSchema = z.object({
  success: z.literal(true),
  message: z.string().describe('A short text for a person.'),
  data: linkRecordSchema,
});
export type ShortenAnswer = z.output<typeof shortenAnswerSchema>;
