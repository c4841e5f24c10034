import { useSignal } from '@preact/signals';
import { useId, useRef } from 'preact/hooks';
import { t } from '../../i18n/translate.ts';
import { TAG_MAX_CHARACTERS, TAGS_MAX } from '../../limits.ts';
import { foldTag } from '../../text.ts';
import { Field } from '../Field.tsx';
import { isComposing } from '../is-composing.ts';

export type TagsFieldProps = {
  label: string;
  tags: string[];
  /** Suggestions. */
  known: string[];
  issue: string | undefined;
  onChange: (tags: string[]) => void;
};

/** The tags of a link. Enter or a comma adds one, and so does leaving the field. */
export function TagsField({ label, tags, known, issue, onChange }: TagsFieldProps) {
  const id = useId();
  const text = useSignal('');
  /** Whether a tag was left out because there are too many. */
  const isFull = useSignal(false);
  const input = useRef<HTMLInputElement>(null);

  function add(value: string): void {
    text.value = '';
    const all = [...tags];
    for (const tag of value.split(',').map((part) => part.trim())) {
      const isKnown = all.some((one) => foldTag(one) === foldTag(tag));
      if (tag !== '' && !isKnown) all.push(tag);
    }
    if (all.length === tags.length) return;
    isFull.value = all.length > TAGS_MAX;
    onChange(all.slice(0, TAGS_MAX));
  }

  return (
    <Field
      label={label}
      hint={t('hint_tags', String(TAGS_MAX))}
      issue={isFull.value ? t('tags_full', String(TAGS_MAX)) : issue}
    >
      {(control) => (
        <>
          <input
            {...control}
            class="input"
            dir="auto"
            ref={input}
            list={`${id}-known`}
            value={text.value}
            maxLength={TAG_MAX_CHARACTERS}
            onInput={(event) => {
              const { value } = event.currentTarget;
              if (value.endsWith(',')) add(value.slice(0, -1));
              else text.value = value;
            }}
            onKeyDown={(event) => {
              // An empty field saves the form.
              if (event.key !== 'Enter' || isComposing(event) || text.value.trim() === '') return;
              event.preventDefault();
              add(text.value);
            }}
            onBlur={() => add(text.value)}
            autocomplete="off"
          />
          <datalist id={`${id}-known`}>
            {known.map((tag) => (
              <option value={tag} key={tag} />
            ))}
          </datalist>
          {tags.length > 0 && (
            <ul class="link-tags" aria-label={label}>
              {tags.map((tag) => (
                <li key={tag}>
                  <button
                    type="button"
                    class="tag"
                    dir="auto"
                    aria-label={t('tag_remove', tag)}
                    onClick={() => {
                      isFull.value = false;
                      onChange(tags.filter((one) => one !== tag));
                      input.current?.focus();
                    }}
                  >
                    {tag} <span aria-hidden="true">×</span>
                  </button>
                </li>
              ))}
            </ul>
          )}
        </>
      )}
    </Field>
  );
}
