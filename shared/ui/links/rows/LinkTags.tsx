import { t } from '../../../i18n/translate.ts';

export type LinkTagsProps = { tags: string[]; onSelect: (tag: string) => void };

/** A click on a tag shows the links that have it. */
export function LinkTags({ tags, onSelect }: LinkTagsProps) {
  if (tags.length === 0) return null;
  return (
    <ul class="link-tags" aria-label={t('field_tags')}>
      {tags.map((tag) => (
        <li key={tag}>
          <button
            type="button"
            class="tag"
            dir="auto"
            data-control={`tag-${tag}`}
            aria-label={t('tag_filter', tag)}
            onClick={() => onSelect(tag)}
          >
            {tag}
          </button>
        </li>
      ))}
    </ul>
  );
}
