import '../../../../shared/ui/styles/table.css';
import type { ComponentChildren } from 'preact';
import { formatNumber } from '../../../../shared/i18n/plural.ts';
import { t } from '../../../../shared/i18n/translate.ts';
import { Announcement } from '../../../../shared/ui/Announcement.tsx';
import { FailureNote } from '../../../../shared/ui/FailureNote.tsx';
import type { List } from './list.ts';

export type Column<T> = {
  label: string;
  /** The first column names the row. */
  cell(row: T): ComponentChildren;
  /** Numbers end at the same edge, and long texts break anywhere. */
  look?: 'number' | 'long';
};

export type TableProps<T> = {
  list: List<T>;
  /** What the table has, for screen readers. */
  label: string;
  columns: Column<T>[];
  keyOf(row: T): string;
  /** Instead of an empty table. */
  empty: string;
};

/** The rows of a list, and a button for the next ones. */
export function Table<T>({ list, label, columns, keyOf, empty }: TableProps<T>) {
  const { rows, nextCursor, failure } = list;
  const [name, ...others] = columns;
  return (
    <>
      <FailureNote failure={failure.value} onRetry={list.refresh} />
      {rows.value?.length === 0 && <p>{empty}</p>}
      <Announcement
        number={list.readings.value}
        text={
          rows.value &&
          (rows.value.length === 0 ? empty : t('label_of', label, formatNumber(rows.value.length)))
        }
      />
      {name && rows.value && rows.value.length > 0 && (
        // A wide table scrolls by itself, also with the keyboard.
        // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
        <section class="card table-frame admin-table" aria-label={label} tabIndex={0}>
          <table class="table">
            <thead>
              <tr>
                {columns.map(({ label, look }) => (
                  <th key={label} scope="col" class={look}>
                    {label}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.value.map((row) => (
                <tr key={keyOf(row)}>
                  <th scope="row">{name.cell(row)}</th>
                  {others.map(({ label, cell, look }) => (
                    <td key={label} class={look}>
                      {cell(row)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      {nextCursor.value !== null && (
        <div class="buttons">
          <button type="button" class="button" onClick={list.more}>
            {t('admin_more')}
          </button>
        </div>
      )}
    </>
  );
}
