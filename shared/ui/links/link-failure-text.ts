import { type PlainKey, t } from '../../i18n/translate.ts';

const TEXTS = new Map(
  Object.entries<[title: PlainKey, text: PlainKey]>({
    not_found: ['link_missing_title', 'link_missing_text'],
    link_gone: ['link_missing_title', 'link_missing_text'],
    version_mismatch: ['conflict_title', 'version_mismatch_text'],
    insufficient_scope: ['scope_title', 'manage_scope_text'],
    too_many_aliases: ['aliases_full_title', 'aliases_full_text'],
    too_many_tags: ['tags_full_title', 'tags_full_text'],
  }),
);

/** Returns the text of a failure that only changes of a link have; undefined for any other one. */
export function linkFailureText(code: string): string | undefined {
  const texts = TEXTS.get(code);
  return texts && t('title_and_text', t(texts[0]), t(texts[1]));
}
