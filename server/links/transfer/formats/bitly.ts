import { z } from 'zod';
import { importedLinkSchema, type LinkDraft } from '../imported-link.ts';
import { aliasOf, count, timeText } from './fields.ts';
import { fitTexts } from './fit.ts';
import type { Format } from './format.ts';

/** A bitlink of API v4. It has no clicks; whoever adds them from the clicks summary keeps them. */
const bitlink = z.object({
  id: z.string(),
  long_url: z.string(),
  title: z.string().nullish(),
  created_at: timeText.nullish(),
  tags: z.array(z.string()).nullish(),
  custom_bitlinks: z.array(z.string()).nullish(),
  clicks: count.nullish(),
  is_deleted: z.literal(false, 'Was deleted at Bitly.').nullish(),
});

const bitlyCells = z.object({
  link: z.string(),
  longUrl: z.string(),
  title: z.string().optional(),
  created: timeText.optional(),
  tags: z.string().optional(),
  clicks: count.optional(),
});

/** `GET /v4/groups/{group_guid}/bitlinks`, and exported tables. */
export const bitly: Format = {
  json: {
    path: '$.links.*',
    sign: /"long_url"\s*:/,
    row: bitlink.transform(toDraft).pipe(importedLinkSchema),
  },
  csv: {
    columns: {
      link: ['bitlink', 'short link', 'short url', 'id'],
      longUrl: ['destination', 'destination url', 'original url', 'target url'],
      title: ['link title'],
      created: ['created at', 'date created', 'created date', 'creation date'],
      tags: [],
      clicks: ['total clicks', 'link clicks', 'engagements', 'total engagements'],
    },
    required: ['link', 'longUrl'],
    row: bitlyCells
      .transform(
        (cells): LinkDraft => ({
          ...fitTexts({ title: cells.title, tags: cells.tags?.split(/[,|]/) }),
          alias: aliasOf(cells.link),
          originalUrl: cells.longUrl,
          created: cells.created ?? null,
          hits: cells.clicks ?? 0,
        }),
      )
      .pipe(importedLinkSchema),
  },
};

function toDraft(link: z.output<typeof bitlink>): LinkDraft {
  // A custom back-half is what was printed, but the others still work.
  const [alias = '', ...previousAliases] = new Set(
    [...(link.custom_bitlinks ?? []), link.id].map(aliasOf),
  );
  return {
    ...fitTexts({ title: link.title, tags: link.tags }),
    alias,
    previousAliases,
    originalUrl: link.long_url,
    created: link.created_at ?? null,
    hits: link.clicks ?? 0,
  };
}
