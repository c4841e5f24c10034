import { t } from '../../i18n/translate.ts';
import { type DomainChoice, DomainSelect } from '../DomainSelect.tsx';
import { Field, type TextFieldProps } from '../Field.tsx';

type AliasFieldProps = TextFieldProps & {
  /** What precedes the alias in the short URL. Unknown until there is a server. */
  host: string | undefined;
  hint: string;
  /** If there are several, the host is a choice. @default none */
  domains?: readonly DomainChoice[] | undefined;
  onChooseDomain?(host: string): void;
};

/** Renders an alias, after the host of its short URL. */
export function AliasField({
  host,
  hint,
  issue,
  domains = [],
  onChooseDomain,
  ...input
}: AliasFieldProps) {
  return (
    <Field label={t('field_alias')} hint={hint} issue={issue}>
      {(control) => (
        <span class="prefixed" dir="ltr">
          {onChooseDomain && domains.length > 1 ? (
            <DomainSelect
              aria-label={t('field_domain')}
              domains={domains}
              value={host ?? ''}
              onChoose={onChooseDomain}
            />
          ) : (
            <span class="prefix" aria-hidden="true">
              {host}/
            </span>
          )}
          <input
            {...control}
            class="input"
            {...input}
            autocomplete="off"
            autocapitalize="off"
            spellcheck={false}
          />
        </span>
      )}
    </Field>
  );
}

type AliasSuggestionsProps = {
  /** The suggestions of the failed request, if it has any. */
  aliases: string[] | undefined;
  onChoose: (alias: string) => void;
};

/** Renders free aliases instead of one that is taken. */
export function AliasSuggestions({ aliases = [], onChoose }: AliasSuggestionsProps) {
  if (aliases.length === 0) return null;
  return (
    <fieldset class="suggestions" aria-label={t('available_aliases')}>
      {aliases.map((alias) => (
        <button
          type="button"
          class="button chip"
          key={alias}
          aria-label={t('use_alias', alias)}
          onClick={() => onChoose(alias)}
        >
          {alias}
        </button>
      ))}
    </fieldset>
  );
}
