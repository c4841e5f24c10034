import { t, textOf } from '../../i18n/translate.ts';
import type { ImportColumn, ImportField } from '../../links/transfer.ts';
import { Select } from '../Select.tsx';
import type { ImportState } from './import-state.ts';
import { meaningChoices } from './import-texts.ts';

const NOTES = {
  same_field: 'import_note_same_field',
  date_order: 'import_note_date_order',
  utc: 'import_note_utc',
  pauses: 'import_note_pauses',
  private: 'import_note_private',
} as const satisfies Record<ImportColumn['notes'][number], string>;

/** Renders each column of the file with a value and its meaning, which can be chosen. */
export function ImportColumns({
  state,
  columns,
}: {
  state: ImportState;
  columns: readonly ImportColumn[];
}) {
  return (
    <fieldset class="import-columns">
      <legend class="label">{t('import_columns')}</legend>
      <ul>
        {columns.map(({ name, field, example, notes }) => {
          const chosen = state.choices.value.mapping?.[name];
          const shown = chosen === undefined ? field : chosen;
          return (
            <li key={name}>
              <span class="import-column">
                <strong>
                  <bdi>{name}</bdi>
                </strong>
                {example !== null && (
                  <span>
                    <bdi>{example}</bdi>
                  </span>
                )}
              </span>
              <Select
                aria-label={t('import_meaning_of', name)}
                options={meaningChoices(shown)}
                value={shown ?? ''}
                disabled={state.isImporting.value}
                onChoose={(value) =>
                  state.setMeaning(name, value === '' ? null : (value as ImportField))
                }
              />
              {notes.map((note) => (
                <p class={note === 'utc' || note === 'private' ? 'hint' : 'issue'} key={note}>
                  {textOf(NOTES, note)}
                </p>
              ))}
            </li>
          );
        })}
      </ul>
    </fieldset>
  );
}
