import type { ComponentChildren, ComponentType } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import type { Result } from '../../../../shared/client.ts';
import { formatCount } from '../../../../shared/i18n/plural.ts';
import { type PlainKey, t } from '../../../../shared/i18n/translate.ts';
import type { AdminPageProps } from '../admin.ts';
import type { AdminClient } from '../api/load-admin-client.ts';
import { ActionNotice, createActions } from '../parts/actions.tsx';
import { ASKED, type ListQuery, ListSearch, type SearchField } from './ListSearch.tsx';
import { type Column, createList, type ListContext, type ListRows, Table } from './Table.tsx';

function readQuery(parameters: URLSearchParams): ListQuery {
  const asked = ASKED.map((name) => [name, parameters.get(name)]);
  return Object.fromEntries(asked.filter(([, text]) => text));
}

export type ListFormProps = ListContext & { refresh(): Promise<void> };

type ListDefinition<T> = {
  title: PlainKey;
  /** Instead of an empty table. */
  empty: PlainKey;
  /** Above the list. */
  intro?: PlainKey;
  read(
    client: AdminClient,
    query: ListQuery & { cursor: string | undefined },
  ): Promise<Result<ListRows<T>>>;
  keyOf(row: T): string;
  columns: readonly Column<T>[];
  /** @default the list has everything */
  search?: readonly SearchField[];
  /** Whether a domain can be chosen, too, once there are several. */
  hasDomains?: true;
  /** What can be done with all that was searched for. */
  found?(query: ListQuery, context: ListContext): ComponentChildren;
  /** Below the list. */
  form?: ComponentType<ListFormProps>;
};

/** Returns the page with a list of the administrator's: its search, rows with actions, and a form for more. */
export function listPage<T>(definition: ListDefinition<T>): ComponentType<AdminPageProps> {
  const { title, empty, intro, read, keyOf, columns, search, hasDomains, found } = definition;

  return function ListPage({ admin }) {
    const { router } = admin;
    const { list, actions } = useMemo(() => {
      const asked = () => readQuery(router.query.peek());
      const list = createList(
        (cursor) => admin.api.call((client) => read(client, { ...asked(), cursor })),
        admin.origin,
      );
      return { list, actions: createActions(admin, list.refresh) };
    }, [admin]);
    const query = readQuery(router.query.value);
    // With Back, too.
    useEffect(() => void list.refresh(), [list, ...ASKED.map((name) => query[name])]);
    const context = { admin, actions };
    const damaged = list.damagedLines.value;
    return (
      <>
        {intro && <p class="intro">{t(intro)}</p>}
        {search && (
          <ListSearch
            admin={admin}
            fields={search}
            hasDomains={hasDomains}
            query={query}
            onSearch={(asked) => {
              const before = router.query.peek();
              const changes = Object.fromEntries(ASKED.map((name) => [name, asked[name]]));
              router.setQuery(changes, { isNewEntry: true });
              if (router.query.peek() === before) void list.refresh();
            }}
          />
        )}
        <ActionNotice actions={actions} />
        <p role="status" class={damaged > 0 ? 'warning' : undefined}>
          {damaged > 0 && formatCount('admin_damaged', damaged)}
        </p>
        {found?.(query, context)}
        <Table
          list={list}
          label={t(title)}
          columns={columns}
          context={context}
          keyOf={keyOf}
          empty={t(empty)}
        />
        {definition.form && <definition.form {...context} refresh={list.refresh} />}
      </>
    );
  };
}
