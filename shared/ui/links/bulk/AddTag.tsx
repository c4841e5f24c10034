import { useSignal } from '@preact/signals';
import { useEffect, useId, useRef } from 'preact/hooks';
import { t } from '../../../i18n/translate.ts';
import { TAG_MAX_CHARACTERS } from '../../../limits.ts';
import { Form } from '../../Form.tsx';

export type AddTagProps = {
  known: string[];
  /** Whether the field was just asked for. */
  isFocused: boolean;
  onAdd: (tag: string) => void;
};

/** A field for a tag to add to all selected links. */
export function AddTag({ known, isFocused, onAdd }: AddTagProps) {
  const id = useId();
  const text = useSignal('');
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isFocused) field.current?.focus();
  }, [isFocused]);
  return (
    <Form
      class="add-tag"
      onSubmit={() => {
        const tag = text.value.trim();
        text.value = '';
        if (tag !== '') onAdd(tag);
      }}
    >
      <input
        ref={field}
        class="input"
        dir="auto"
        aria-label={t('tag_add')}
        placeholder={t('tag_add')}
        list={id}
        value={text.value}
        maxLength={TAG_MAX_CHARACTERS}
        onInput={(event) => {
          text.value = event.currentTarget.value;
        }}
        autocomplete="off"
      />
      <datalist id={id}>
        {known.map((tag) => (
          <option value={tag} key={tag} />
        ))}
      </datalist>
      <button type="submit" class="button">
        {t('add')}
      </button>
    </Form>
  );
}
