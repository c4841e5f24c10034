import '../../../../shared/ui/styles/table.css';
import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { Page } from '../../../../shared/client/result.ts';
import type { Result } from '../../../../shared/client.ts';
import type { FailureText } from '../../../../shared/i18n/failure-text.ts';
import { formatNumber } from '../../../../shared/i18n/plural.ts';
import { type PlainKey, t } from '../../../../shared/i18n/translate.ts';
import { Announcement } from '../../../../shared/ui/Announcement.tsx';
import { FailureNote } from '../../../../shared/ui/FailureNote.tsx';
import type { Admin } from '../admin.ts';
import { type Actions, adminFailure } from '../parts/actions.tsx';

/** What the controls of a row need. */
export type ListContext = { admin: Admin; actions: Actions };

export type Column<T> = {
  label: PlainKey;
  /** The first column names the row. */
  cell(row: T, context: ListContext): ComponentChildren;
  /** Numbers end at the same edge, and long texts break anywhere. */
  look?: 'number' | 'long';
};

type TableProps<T> = {
  list: List<T>;
  /** What the table has, for screen readers. */
  label: string;
  columns: readonly Column<T>[];
  context: ListContext;
  keyOf(row: T): string;
  /** Instead of an empty table. */
  empty: string;
};

/** Renders the rows of a list, and a button for the next ones. */
export function Table<T>({ list, label, columns, context, keyOf, empty }: TableProps<T>) {
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
                    {t(label)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.value.map((row) => (
                <tr key={keyOf(row)}>
                  <th scope="row">{name.cell(row, context)}</th>
                  {others.map(({ label, cell, look }) => (
                    <td key={label} class={look}>
                      {cell(row, context)}
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

export type List<T> = ReturnType<typeof createList<T>>;
/** Of some lists, lines were damaged and are left out. */
export type ListRows<T> = Page<T> & { damagedLines?: number };

/** Rows that are read page by page. @param load reads a page, the first one without a cursor */
export function createList<T>(
  load: (cursor: string | undefined) => Promise<Result<ListRows<T>>>,
  origin: string,
) {
  /** Undefined until they are loaded. */
  const rows = signal<T[] | undefined>(undefined);
  const nextCursor = signal<string | null>(null);
  const failure = signal<FailureText | undefined>(undefined);
  const damagedLines = signal(0);
  /** Grows with each page that was read. */
  const readings = signal(0);
  let latest = 0;

  async function read(cursor: string | undefined): Promise<void> {
    const request = ++latest;
    const result = await load(cursor);
    // The user has searched for something else meanwhile.
    if (request !== latest) return;
    failure.value = result.ok ? undefined : adminFailure(result, origin);
    if (!result.ok) return;
    const isFirst = cursor === undefined;
    rows.value = [...(isFirst ? [] : (rows.value ?? [])), ...result.data.data];
    damagedLines.value = (isFirst ? 0 : damagedLines.value) + (result.data.damagedLines ?? 0);
    readings.value += 1;
    nextCursor.value = result.data.nextCursor;
  }

  const refresh = () => read(undefined);
  const more = () => read(nextCursor.value ?? undefined);
  return { rows, nextCursor, failure, damagedLines, readings, refresh, more };
}
