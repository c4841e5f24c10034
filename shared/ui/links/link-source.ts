import type { ReadonlySignal } from '@preact/signals';
import type { Abilities } from '../../abilities.ts';
import type { Explained, Result } from '../../client.ts';
import type { BulkResponse, SentBulkChange } from '../../links/bulk.ts';
import type { EditRequest } from '../../links/edit-request.ts';
import type { LinkTotal } from '../../links/link-list.ts';
import type { LinkRecord } from '../../links/link-record.ts';
import type { LinkQuery } from '../../links/list-query.ts';
import type { TagCount } from '../../links/tags.ts';
import type { DomainChoice } from '../DomainSelect.tsx';

/** A page of the list. */
export type ListPage = {
  /** In the order of `sort`. */
  links: LinkRecord[];
  /** Gets the next page; absent on the last one. */
  nextCursor?: string | undefined;
  /** How many links match, on the first page, if the source knows. */
  total?: LinkTotal | undefined;
};

/** All links of a query, some, or those that an import has added. */
export type LinkSelection = { query: LinkQuery } | { aliases: string[] } | { importId: string };
export type LinkChange = Omit<SentBulkChange, 'aliases'>;
export type ChangeOptions = {
  /** `nextCursor` of the part before. */
  cursor?: string | undefined;
  /** Counts the links and changes none. */
  dryRun?: boolean | undefined;
};
export type ChangedLinks = BulkResponse['data'] & {
  /** Gets on with the next part; absent after the last one. */
  nextCursor?: string | undefined;
};

export type EditOptions = {
  /** Fails with `version_mismatch` if the link was edited since it was read. @default false */
  isConditional?: boolean;
};

/** Where a list of links comes from and where its changes go. Never throws. */
export interface LinkSource {
  /** What the user should know about the list: how old it is, or what cannot be done. */
  readonly notices: ReadonlySignal<string[]>;
  /** Reads the domains that the account can use, for a choice. Empty if they cannot be read. */
  domains(): Promise<DomainChoice[]>;
  abilities(): Promise<Abilities>;
  page(query: LinkQuery, cursor: string | undefined): Promise<Result<ListPage, Explained>>;
  /** The tags of the account's links, the most used first. */
  tags(): Promise<Result<TagCount[], Explained>>;
  /** Changes a part of the selected links. */
  changeAll(
    selection: LinkSelection,
    change: LinkChange,
    options?: ChangeOptions,
  ): Promise<Result<ChangedLinks, Explained>>;
  edit(
    link: LinkRecord,
    changes: EditRequest,
    options?: EditOptions,
  ): Promise<Result<LinkRecord, Explained>>;
  /** Deletes a link so that it can be restored. */
  remove(link: LinkRecord): Promise<Result<unknown, Explained>>;
  /** Undoes `remove`. */
  restore(link: LinkRecord): Promise<Result<LinkRecord, Explained>>;
  /** Erases a link for good. */
  purge(link: LinkRecord): Promise<Result<unknown, Explained>>;
  /** Calls back when links changed elsewhere. @returns a function that stops it */
  subscribe(onChange: () => void): () => void;
}
