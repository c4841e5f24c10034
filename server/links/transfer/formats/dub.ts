import { z } from 'zod';
import { type DraftRule, importedLinkSchema, type LinkDraft } from '../imported-link.ts';
import { count, timeText } from './fields.ts';
import { fitRules, fitTexts } from './fit.ts';
import type { Format } from './format.ts';

const url = z.string().nullish();

/** A link of Dub's API. */
const dubLink = z.object({
  domain: z.string(),
  key: z.string().refine((key) => key !== '_root', 'Is where a domain leads, and no link.'),
  shortLink: z.string(),
  url: z.string(),
  createdAt: timeText,
  updatedAt: timeText.nullish(),
  expiresAt: timeText.nullish(),
  disabledAt: timeText.nullish(),
  clicks: count.nullish(),
  title: z.string().nullish(),
  description: z.string().nullish(),
  tags: z.array(z.object({ name: z.string() })).nullish(),
  password: z.string().nullish(),
  /** Whether previews show title, description and image. */
  proxy: z.boolean().nullish(),
  image: url,
  expiredUrl: url,
  ios: url,
  android: url,
  /** Targets by country. */
  geo: z.record(z.string(), z.string()).nullish(),
  testVariants: z.array(z.object({ url: z.string(), percentage: z.number() })).nullish(),
  /** When a test ends. */
  testCompletedAt: timeText.nullish(),
});

/** `GET /links`, which answers an array. */
export const dub: Format = {
  json: {
    path: '$.links.*',
    sign: /"shortLink"\s*:/,
    row: dubLink.transform(toDraft).pipe(importedLinkSchema),
  },
};

function toDraft(link: z.output<typeof dubLink>): LinkDraft {
  const { notes, ...texts } = fitTexts({
    title: link.title,
    description: link.description,
    tags: link.tags?.map(({ name }) => name),
  });
  if (link.password) {
    notes.push(
      'Passwords are not imported from Dub, so the link is switched off. Set one and activate it.',
    );
  }
  if (link.disabledAt) notes.push('The link was disabled at Dub, so it is switched off.');
  return {
    ...texts,
    alias: link.key,
    domain: link.domain,
    originalUrl: link.url,
    created: link.createdAt,
    modified: link.updatedAt ?? null,
    expiresAt: link.expiresAt ?? null,
    goneUrl: link.expiredUrl || null,
    hits: link.clicks ?? 0,
    rules: fitRules(toRules(link), notes),
    card: link.proxy ? toCard(texts, link.image) : null,
    isActive: !link.password && !link.disabledAt,
    notes,
  };
}

/** In the order in which Dub decides: device, country, test. */
function toRules(link: z.output<typeof dubLink>): DraftRule[] {
  const { ios, android, geo, testVariants, testCompletedAt } = link;
  const rules: DraftRule[] = [];
  if (ios) rules.push({ system: 'iOS', originalUrl: ios });
  if (android) rules.push({ system: 'Android', originalUrl: android });
  for (const [country, originalUrl] of Object.entries(geo ?? {})) {
    rules.push({ country: country.toUpperCase(), originalUrl });
  }
  if (!testCompletedAt) return rules;
  const until = new Date(testCompletedAt).toISOString();
  for (const variant of testVariants ?? []) {
    // The link's own target gets the rest.
    if (variant.url === link.url) continue;
    rules.push({ share: Math.round(variant.percentage), until, originalUrl: variant.url });
  }
  return rules;
}

function toCard(
  { title, description }: Pick<LinkDraft, 'title' | 'description'>,
  image: string | null | undefined,
): LinkDraft['card'] {
  const card = {
    ...(title && { title }),
    ...(description && { description }),
    // Uploaded pictures have a URL, too. Others are in the link itself.
    ...(image?.startsWith('http') && { imageUrl: image }),
  };
  return Object.keys(card).length > 0 ? card : null;
}
