import { t } from '../../../shared/i18n/translate.ts';
import { TAG_MAX_CHARACTERS, TAGS_MAX } from '../../../shared/limits.ts';
import type { ShortenRequest } from '../../../shared/links/shorten-request.ts';

/** The options that the extension's popup has no room for. */
export type MoreFields = {
  /** Separated by commas. */
  tags: string;
  maxVisits: string;
  forwardQuery: boolean;
};
export type MoreIssues = Partial<Record<keyof MoreFields, string>>;

export const NO_MORE: MoreFields = { tags: '', maxVisits: '', forwardQuery: false };

export function moreOptions({
  tags,
  maxVisits,
  forwardQuery,
}: MoreFields): Partial<ShortenRequest> {
  const list = splitTags(tags);
  return {
    ...(list.length > 0 && { tags: list }),
    ...(maxVisits.trim() !== '' && { maxVisits: Number(maxVisits) }),
    ...(forwardQuery && { forwardQuery }),
  };
}

export function moreIssues({ tags, maxVisits }: MoreFields): MoreIssues {
  const list = splitTags(tags);
  const isTagInvalid =
    list.length > TAGS_MAX || list.some((tag) => tag.length > TAG_MAX_CHARACTERS);
  const visits = Number(maxVisits);
  const isVisitsInvalid = maxVisits.trim() !== '' && !(Number.isSafeInteger(visits) && visits >= 1);
  return {
    ...(isTagInvalid && { tags: t('tags_invalid', String(TAGS_MAX), String(TAG_MAX_CHARACTERS)) }),
    ...(isVisitsInvalid && { maxVisits: t('field_max_visits_invalid') }),
  };
}

function splitTags(tags: string): string[] {
  return tags
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
}
