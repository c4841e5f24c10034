import { z } from 'zod';

/** The body of a successful response. */
export function envelope<T extends z.ZodType>(data: T) {
  return z.object({
    success: z.literal(true),
    message: z.string().describe('Human-readable text.'),
    data,
  });
}
