import { z } from 'zod';
import { envelope } from '../envelope.ts';

/** The 200 of `POST /api/identity/admin`. */
export const adminSessionResponseSchema = envelope(
  z.object({
    token: z.string().describe('Accepted under `/api/admin`, as `ADMIN_TOKEN` is.'),
    expiresAt: z.iso.datetime().describe('Until when, in UTC.'),
  }),
);
export type AdminSessionResponse = z.output<typeof adminSessionResponseSchema>;
