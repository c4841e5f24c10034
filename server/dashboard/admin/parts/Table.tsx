import '../../../../shared/ui/styles/table.css';
import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import type { Page } from '../../../../shared/client/result.ts';
import type { Result } from '../../../../shared/client.ts';
import type { FailureText } from '../../../../shared/i18n/failure-text.ts';
import { formatNumber } from '../../../../shared/i18n/plural.ts';
import { t } from '../../../../shared/i18n/translate.ts';
import { Announcement } from '../../../../shared/ui/Announcement.tsx';
import { FailureNote } from '../../../../shared/ui/FailureNote.tsx';
import { Form } from '../../../../shared/ui/Form.tsx';
import type { Admin } from '../admin.ts';
import type { AdminClient } from '../api/load-admin-client.ts';
import { adminFailure, createActions } from './actions.tsx';

export type Column<T> = {
  label: string;
  /** The first column names the row. */
  cell(row: T): ComponentChildren;
  /** Numbers end at the same edge, and long texts break anywhere. */
  look?: 'number' | 'long';
};

type TableProps<T> = {
  list: List<T>;
  /** What the table has, for screen readers. */
  label: string;
  columns: Column<T>[];
  keyOf(row: T): string;
  /** Instead of an empty table. */
  empty: string;
};

/** Renders the rows of a list, and a button for the next ones. */
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

type List<T> = ReturnType<typeof createList<T>>;

/** Rows that are read page by page. @param load reads a page, the first one without a cursor */
function createList<T>(
  load: (cursor: string | undefined) => Promise<Result<Page<T>>>,
  origin: string,
) {
  /** Undefined until they are loaded. */
  const rows = signal<T[] | undefined>(undefined);
  const nextCursor = signal<string | null>(null);
  const failure = signal<FailureText | undefined>(undefined);
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
    const before = cursor === undefined ? [] : (rows.value ?? []);
    rows.value = [...before, ...result.data.data];
    readings.value += 1;
    nextCursor.value = result.data.nextCursor;
  }

  const refresh = () => read(undefined);
  const more = () => read(nextCursor.value ?? undefined);
  return { rows, nextCursor, failure, readings, refresh, more };
}

/**
 * Returns a list that a page reads when it opens, and what an administrator does with its rows.
 *
 * @param load as above
 */
export function useList<T>(
  admin: Admin,
  load: (client: AdminClient, cursor: string | undefined) => Promise<Result<Page<T>>>,
) {
  const state = useMemo(() => {
    const list = createList(
      (cursor) => admin.api.call((client) => load(client, cursor)),
      admin.origin,
    );
    return { list, actions: createActions(admin, list.refresh) };
  }, [admin]);
  useEffect(() => void state.list.refresh(), [state]);
  return state;
}

/** Returns a page of everything, for a list that has no pages. */
export function allInOne<T>(result: Result<T[]>): Result<Page<T>> {
  return result.ok ? { ...result, data: { data: result.data, nextCursor: null } } : result;
}

/** Fields side by side, with a button that asks the server. */
export function SearchForm({
  children,
  onSearch,
}: {
  children: ComponentChildren;
  onSearch(): Promise<void>;
}) {
  return (
    <search class="card">
      <Form class="rows" onSubmit={onSearch}>
        <div class="form-line">{children}</div>
        <div class="buttons">
          <button type="submit" class="button">
            {t('admin_search')}
          </button>
        </div>
      </Form>
    </search>
  );
}

/** Renders names and values. */
export function Facts({ facts }: { facts: readonly (readonly [name: string, value: string])[] }) {
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd dir="auto">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
