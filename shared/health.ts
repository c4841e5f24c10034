import { z } from 'zod';

/** The 200 of `GET /api/health`: how a client knows that it speaks to Curt. */
export const healthAnswerSchema = z.object({
  status: z.literal('ok'),
  service: z.literal('curt'),
  version: z.string().describe("The server's version, as in its package.json."),
});
export type HealthAnswer = z.output<typeof healthAnswerSchema>;
