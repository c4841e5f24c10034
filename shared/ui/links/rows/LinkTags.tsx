import { formatNumber } from '../../../i18n/plural.ts';
import { t } from '../../../i18n/translate.ts';

export type LinkTagsProps = { tags: string[]; onSelect: (tag: string) => void };

/** As many as fit into a row. */
const SHOWN = 2;

/** A click on a tag shows the links that have it. */
export function LinkTags({ tags, onSelect }: LinkTagsProps) {
  if (tags.length === 0) return null;
  const more = tags.slice(SHOWN);
  return (
    <ul class="link-tags" aria-label={t('field_tags')}>
      {tags.slice(0, SHOWN).map((tag) => (
        <li key={tag}>
          <button
            type="button"
            class="tag"
            dir="auto"
            data-control={`tag-${tag}`}
            aria-label={t('tag_filter', tag)}
            title={tag}
            onClick={() => onSelect(tag)}
          >
            {tag}
          </button>
        </li>
      ))}
      {more.length > 0 && (
        <li class="more-tags" title={more.join(', ')}>
          +{formatNumber(more.length)}
        </li>
      )}
    </ul>
  );
}
