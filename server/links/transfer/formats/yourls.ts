import { z } from 'zod';
import { importedLinkSchema, type LinkDraft } from '../imported-link.ts';
import { aliasOf, count, timeText } from './fields.ts';
import { fitTexts } from './fit.ts';
import type { Format } from './format.ts';

/** How database tools export NULL. */
const NULLS = ['NULL', '\\N'];

const fields = {
  url: z.string(),
  title: z
    .string()
    .transform((text) => (NULLS.includes(text) ? null : text))
    .nullish(),
  timestamp: timeText.nullish(),
  clicks: count.nullish(),
};
/** A link of YOURLS' API. */
const apiLink = z.object({ ...fields, shorturl: z.string() });
/** A row of the table `yourls_url`. */
const tableRow = z.object({ ...fields, keyword: z.string() });

/** `action=stats&format=json`, and the table `yourls_url`. */
export const yourls: Format = {
  json: {
    path: '$.links.*',
    sign: /"shorturl"\s*:/,
    row: apiLink
      // In the path of a YOURLS that is installed in a folder.
      .transform((link) => toDraft(link, aliasOf(link.shorturl).replace(/^.*\//, '')))
      .pipe(importedLinkSchema),
  },
  csv: {
    columns: { keyword: [], url: [], title: [], timestamp: [], clicks: [] },
    required: ['keyword', 'url'],
    row: tableRow.transform((row) => toDraft(row, row.keyword)).pipe(importedLinkSchema),
  },
};

function toDraft(
  { url, title, timestamp, clicks }: Omit<z.output<typeof tableRow>, 'keyword'>,
  alias: string,
): LinkDraft {
  return {
    ...fitTexts({ title }),
    alias,
    originalUrl: url,
    created: timestamp ?? null,
    hits: clicks ?? 0,
  };
}
