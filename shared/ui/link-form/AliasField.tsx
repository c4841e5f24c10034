import { t } from '../../i18n/translate.ts';
import { CUSTOM_ALIAS_MAX_CHARACTERS } from '../../limits.ts';
import { type DomainChoice, DomainSelect } from '../DomainSelect.tsx';
import { Field } from '../Field.tsx';
import type { OptionFieldProps } from './option-field.ts';

export type AliasFieldProps = OptionFieldProps & {
  /** What precedes the alias in the short URL. Unknown until there is a server. */
  host: string | undefined;
  hint: string;
  /** If there are several, the host is a choice. @default none */
  domains?: readonly DomainChoice[] | undefined;
  onChooseDomain?(host: string): void;
};

/** An alias, after the host of its short URL. */
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
            maxLength={CUSTOM_ALIAS_MAX_CHARACTERS}
            autocomplete="off"
            autocapitalize="off"
            spellcheck={false}
          />
        </span>
      )}
    </Field>
  );
}
