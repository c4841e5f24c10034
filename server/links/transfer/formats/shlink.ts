import { z } from 'zod';
import { importedLinkSchema, type LinkDraft } from '../imported-link.ts';
import { count, timeText } from './fields.ts';
import { fitRules, fitTexts } from './fit.ts';
import type { Format } from './format.ts';
import { shlinkRules, toRules } from './shlink-rules.ts';

/**
 * A short URL of Shlink's API. Version 3 has `visitsSummary`, version 2 `visitsCount`. Its rules come from
 * another request; whoever adds them to the link keeps them.
 */
const shlinkLink = z.object({
  shortCode: z.string(),
  domain: z.string().nullish(),
  longUrl: z.string(),
  dateCreated: timeText,
  visitsSummary: z.object({ total: count, nonBots: count.nullish() }).nullish(),
  visitsCount: count.nullish(),
  tags: z.array(z.string()).nullish(),
  meta: z
    .object({
      validSince: timeText.nullish(),
      validUntil: timeText.nullish(),
      maxVisits: count.nullish(),
    })
    .nullish(),
  title: z.string().nullish(),
  forwardQuery: z.boolean().nullish(),
  hasRedirectRules: z.boolean().nullish(),
  redirectRules: shlinkRules.nullish(),
});

const shlinkCells = z.object({
  shortCode: z.string(),
  domain: z.string().optional(),
  longUrl: z.string(),
  createdAt: timeText.optional(),
  title: z.string().optional(),
  tags: z.string().optional(),
  visits: count.optional(),
});

/** `GET /rest/v3/short-urls`, and the table that the web client exports. */
export const shlink: Format = {
  json: {
    path: '$.shortUrls.data.*',
    sign: /"shortCode"\s*:/,
    row: shlinkLink.transform(toDraft).pipe(importedLinkSchema),
  },
  csv: {
    columns: {
      shortCode: [],
      domain: [],
      longUrl: [],
      createdAt: ['dateCreated'],
      title: [],
      tags: [],
      visits: ['visitsCount'],
    },
    required: ['shortCode', 'longUrl'],
    row: shlinkCells.transform(cellsToDraft).pipe(importedLinkSchema),
  },
};

function toDraft(link: z.output<typeof shlinkLink>): LinkDraft {
  const { notes, ...texts } = fitTexts({ title: link.title, tags: link.tags });
  const { validSince, validUntil, maxVisits } = link.meta ?? {};
  const { total, nonBots } = link.visitsSummary ?? {};
  const converted = toRules(link.redirectRules ?? []);
  if (link.hasRedirectRules && !link.redirectRules) {
    notes.push('The file does not have the redirect rules of the link.');
  }
  return {
    ...texts,
    alias: link.shortCode,
    domain: link.domain ?? null,
    originalUrl: link.longUrl,
    created: link.dateCreated,
    startsAt: validSince ?? null,
    expiresAt: validUntil ?? null,
    // Curt counts people only.
    hits: nonBots ?? total ?? link.visitsCount ?? 0,
    maxVisits: maxVisits || null,
    // What Shlink does unless a link says otherwise.
    forwardQuery: link.forwardQuery ?? true,
    rules: fitRules(converted.rules, notes),
    notes: [...notes, ...converted.notes],
  };
}

function cellsToDraft(cells: z.output<typeof shlinkCells>): LinkDraft {
  return {
    ...fitTexts({ title: cells.title, tags: cells.tags?.split('|') }),
    alias: cells.shortCode,
    domain: cells.domain ?? null,
    originalUrl: cells.longUrl,
    created: cells.createdAt ?? null,
    hits: cells.visits ?? 0,
    forwardQuery: true,
  };
}
