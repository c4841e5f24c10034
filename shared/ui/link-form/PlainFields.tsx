import { useSignal } from '@preact/signals';
import { useId, useRef } from 'preact/hooks';
import { TAG_MAX_CHARACTERS, TAGS_MAX } from '../../bounds.ts';
import { formatNumber } from '../../i18n/plural.ts';
import { t } from '../../i18n/translate.ts';
import {
  definitionOf,
  type FormPart,
  PLAIN_NAMES,
  type PlainField,
} from '../../links/plain-fields.ts';
import { foldTag } from '../../text.ts';
import { Checkbox, Field, InputField } from '../Field.tsx';
import { isComposing } from '../keys.ts';
import type { FormIssues, LinkForm } from './link-form.ts';

type PlainFieldsProps = {
  part: FormPart;
  form: LinkForm;
  issues: FormIssues;
  onChange: (changes: Partial<LinkForm>) => void;
  /** Suggestions. @default none */
  knownTags?: string[];
  /** Those that make no sense now. @default none */
  without?: PlainField[];
};

/** Renders the plain fields of a part of the form, in the order of their table. */
export function PlainFields({ part, without = [], ...props }: PlainFieldsProps) {
  return PLAIN_NAMES.filter(
    (name) => definitionOf(name).part === part && !without.includes(name),
  ).map((name) => <PlainFieldControl key={name} name={name} {...props} />);
}

type ControlProps = Omit<PlainFieldsProps, 'part' | 'without'> & { name: PlainField };

function PlainFieldControl({ name, form, issues, onChange, knownTags = [] }: ControlProps) {
  const definition = definitionOf(name);
  const label = t(definition.label);
  const change = (value: LinkForm[PlainField]) => onChange({ [name]: value });
  const input = {
    name,
    value: String(form[name]),
    onInput: (event: { currentTarget: { value: string } }) => change(event.currentTarget.value),
  };
  const about = { label, issue: issues[name] };
  switch (definition.control) {
    case 'line':
      return <InputField {...about} {...input} dir="auto" maxLength={definition.maxCharacters} />;
    case 'text':
      return (
        <div class="wide">
          <Field {...about}>
            {(control) => (
              <textarea
                {...control}
                {...input}
                class="input"
                dir="auto"
                maxLength={definition.maxCharacters}
              />
            )}
          </Field>
        </div>
      );
    case 'code':
      return <InputField {...about} {...input} hint={t(definition.hint)} spellcheck={false} />;
    case 'number':
      return (
        <InputField
          {...about}
          {...input}
          hint={t(definition.hint, formatNumber(definition.min), formatNumber(definition.max))}
          class="input short"
          type="number"
          min={definition.min}
          max={definition.max}
          step={definition.isWhole ? 1 : 'any'}
        />
      );
    case 'tags':
      return (
        <TagsField {...about} tags={form[name] as string[]} known={knownTags} onChange={change} />
      );
    case 'switch':
      return (
        <Checkbox
          label={label}
          hint={t(definition.hint)}
          isChecked={form[name] as boolean}
          onChange={change}
        />
      );
  }
}

type TagsFieldProps = {
  label: string;
  tags: string[];
  /** Suggestions. */
  known: string[];
  issue: string | undefined;
  onChange: (tags: string[]) => void;
};

/** Renders the tags of a link. Enter or a comma adds one, and so does leaving the field. */
function TagsField({ label, tags, known, issue, onChange }: TagsFieldProps) {
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
      hint={t('hint_tags', formatNumber(TAGS_MAX))}
      issue={isFull.value ? t('tags_full', formatNumber(TAGS_MAX)) : issue}
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
