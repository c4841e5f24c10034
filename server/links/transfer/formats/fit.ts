import {
  DESCRIPTION_MAX_CHARACTERS,
  RULES_MAX,
  TAG_MAX_CHARACTERS,
  TAGS_MAX,
  TITLE_MAX_CHARACTERS,
} from '../../../../shared/limits.ts';
import type { DraftRule } from '../imported-link.ts';

type Texts = {
  title?: string | null | undefined;
  description?: string | null | undefined;
  tags?: string[] | null | undefined;
};

/**
 * Fits what other services allow into Curt's limits. A link is worth more than the end of its title,
 * so it is not skipped, and the report says what was changed.
 */
export function fitTexts({ title, description, tags }: Texts) {
  const notes = new Set<string>();
  const fit = (name: string, text: string, max: number) => {
    const characters = [...text.toWellFormed()];
    if (characters.length <= max) return characters.join('');
    notes.add(`The ${name} is cut to ${max} characters.`);
    return characters.slice(0, max).join('');
  };
  const oneLine = (text: string) => text.replace(/\p{Cc}+/gu, ' ').trim();
  const names = (tags ?? []).map(oneLine).filter((tag) => tag !== '');
  if (names.length > TAGS_MAX) notes.add(`Only the first ${TAGS_MAX} tags are kept.`);
  const fitted = {
    title: fit('title', oneLine(title ?? ''), TITLE_MAX_CHARACTERS),
    description:
      description == null || description.trim() === ''
        ? null
        : fit(
            'description',
            description.replace(/[^\P{Cc}\r\n]/gu, ' '),
            DESCRIPTION_MAX_CHARACTERS,
          ),
    tags: names.slice(0, TAGS_MAX).map((tag) => fit('tag', tag, TAG_MAX_CHARACTERS).trim()),
  };
  return { ...fitted, notes: [...notes] };
}

/** Keeps as many rules as Curt allows, the first ones. */
export function fitRules(rules: DraftRule[], notes: string[]): DraftRule[] {
  if (rules.length > RULES_MAX) notes.push(`Only the first ${RULES_MAX} rules are kept.`);
  return rules.slice(0, RULES_MAX);
}
