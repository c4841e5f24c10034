/**
 * Who visits: `people`, `previews` (a chat or social network that shows where a link goes, a `HEAD`
 * request, a prefetch) or other `bots`.
 *
 * @see docs/api.md, "Visit a short link"
 */
export type VisitClass = 'people' | 'previews' | 'bots';
