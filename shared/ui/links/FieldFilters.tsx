import { useId } from 'preact/hooks';
import { t } from '../../i18n/translate.ts';
import { type FilterName, readChoice } from '../../links/list-query.ts';
import { definitionOf, FILTER_FIELDS, type FieldDefinition } from '../../links/plain-fields.ts';
import type { LinksState } from './state/links-state.ts';

/** Renders the filters by plain fields, as their table describes them. */
export function FieldFilters({ state }: { state: LinksState }) {
  return FILTER_FIELDS.map((name) => (
    <FieldFilter key={name} name={name} definition={definitionOf(name)} state={state} />
  ));
}

type FieldFilterProps = { name: FilterName; definition: FieldDefinition; state: LinksState };

function FieldFilter({ name, definition, state }: FieldFilterProps) {
  const id = useId();
  return (
    <label class="filter" for={id}>
      <span>{t(definition.label)}</span>
      <input
        class="input"
        id={id}
        placeholder={t('status_all')}
        {...(definition.control === 'number' && {
          type: 'number',
          min: definition.min,
          max: definition.max,
          step: definition.isWhole ? 1 : 'any',
        })}
        value={state.loading[name].value ?? ''}
        onChange={({ currentTarget }) => {
          // The browser says what is wrong.
          if (!currentTarget.reportValidity()) return;
          state.filter({ [name]: readChoice(name, currentTarget.value.trim()) });
        }}
      />
    </label>
  );
}
