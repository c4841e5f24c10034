import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { TAG_MAX_CHARACTERS } from '../../bounds.ts';
import { formatCount, formatNumber } from '../../i18n/plural.ts';
import { t } from '../../i18n/translate.ts';
import { foldSearched } from '../../text.ts';
import { Icon } from '../Icon.tsx';
import { useOptions } from '../use-options.ts';
import type { LinksState } from './state/links-state.ts';

/** More are found by typing. */
const SHOWN_MAX = 50;

/** Typing filters the tags. The links are filtered once a tag is chosen. */
export function TagFilter({ state }: { state: LinksState }) {
  const id = useId();
  const chosen = state.loading.tag.value;
  /** Undefined while the list is closed. */
  const typed = useSignal<string | undefined>(undefined);
  const wanted = foldSearched(typed.value?.trim() ?? '');
  const { value: tags } = state.tags;
  const found = tags?.filter(({ tag }) => foldSearched(tag).includes(wanted)) ?? [];
  const all = chosen && !wanted ? [{ tag: '', count: undefined }] : [];
  const shown = typed.value === undefined ? [] : [...all, ...found.slice(0, SHOWN_MAX)];
  const { fieldProps, listId, optionProps, handleKey, reset } = useOptions(shown.length);

  function open(text = ''): void {
    reset();
    typed.value = text;
    void state.readTags();
  }

  function choose(tag: string): void {
    typed.value = undefined;
    if (tag !== chosen) state.filter({ tag });
  }

  return (
    <div class="filter tag-filter">
      <label for={id}>{t('filter_tag')}</label>
      <span class="tag-field">
        <input
          {...fieldProps}
          class="input"
          type="text"
          id={id}
          // Without a tag, the placeholder has the direction of the page.
          dir={typed.value || chosen ? 'auto' : undefined}
          placeholder={t('tags_all')}
          value={typed.value || chosen}
          maxLength={TAG_MAX_CHARACTERS}
          onClick={({ currentTarget }) => {
            currentTarget.select();
            if (typed.value === undefined) open();
          }}
          onInput={({ currentTarget: { value } }) => {
            if (value === '') choose('');
            open(value);
          }}
          onKeyDown={(event) => {
            if (typed.value === undefined) {
              if (event.key !== 'ArrowDown') return;
              open();
            } else if (event.key === 'Escape') typed.value = undefined;
            else if (handleKey(event)) return;
            else return;
            event.preventDefault();
          }}
          onBlur={() => {
            typed.value = undefined;
          }}
        />
        <Icon name="chevron" />
      </span>
      {typed.value !== undefined && (
        <div class="menu">
          <div role="listbox" id={listId} aria-label={t('field_tags')} class="tag-options">
            {shown.map(({ tag, count }, index) => (
              <button
                type="button"
                class="menu-item"
                key={tag}
                role="option"
                {...optionProps(index)}
                // The focus stays in the field.
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => choose(tag)}
              >
                <bdi class="menu-label">{tag || t('tags_all')}</bdi>
                {count !== undefined && (
                  <span class="count" title={formatCount('links_count', count)}>
                    {formatNumber(count)}
                  </span>
                )}
              </button>
            ))}
          </div>
          <p role="status" class="note">
            {tags && shown.length === 0 && t(wanted ? 'tags_no_match' : 'tags_none')}
          </p>
        </div>
      )}
    </div>
  );
}
