import { z } from 'zod';
import { importedLinkSchema, type LinkDraft, PASSWORD_MISSING } from '../imported-link.ts';
import { count, timeText } from './fields.ts';
import { fitTexts } from './fit.ts';
import type { Format } from './format.ts';

/** A link of Kutt's API v2. Kutt shows whether a link has a password, but not its hash. */
const kuttLink = z.object({
  address: z.string(),
  domain: z.string().nullish(),
  target: z.string(),
  description: z.string().nullish(),
  created_at: timeText,
  updated_at: timeText.nullish(),
  expire_in: timeText.nullish(),
  visit_count: count,
  password: z.boolean().nullish(),
  banned: z.boolean().nullish(),
});

/** `GET /api/v2/links`. */
export const kutt: Format = {
  json: {
    path: '$.data.*',
    sign: /"address"\s*:/,
    row: kuttLink.transform(toDraft).pipe(importedLinkSchema),
  },
};

function toDraft(link: z.output<typeof kuttLink>): LinkDraft {
  const { notes, ...texts } = fitTexts({ description: link.description });
  if (link.password) notes.push(PASSWORD_MISSING);
  if (link.banned) notes.push('The link was banned at Kutt, so it is switched off.');
  return {
    ...texts,
    alias: link.address,
    domain: link.domain ?? null,
    originalUrl: link.target,
    created: link.created_at,
    modified: link.updated_at ?? null,
    expiresAt: link.expire_in ?? null,
    hits: link.visit_count,
    isActive: !link.password && !link.banned,
    notes,
  };
}
