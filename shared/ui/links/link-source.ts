import type { ReadonlySignal } from '@preact/signals';
import type { Issue } from '../../errors.ts';
import type { BulkResponse, SentBulkChange } from '../../links/bulk.ts';
import type { EditRequest } from '../../links/edit-request.ts';
import type { LinkSort, LinkTotal } from '../../links/link-list.ts';
import type { LinkStatus } from '../../links/link-status.ts';
import type { ShownLink } from '../../links/shown-link.ts';
import type { TagCount } from '../../links/tags.ts';
import type { DomainChoice } from '../DomainSelect.tsx';

export type LinkQuery = {
  /** Empty for all links. */
  words: string;
  /** Empty for all links. */
  tag: string;
  /** A host; empty or absent for all links. */
  domain?: string | undefined;
  /** Absent for all links that are not deleted. */
  status?: LinkStatus | undefined;
  /** @default created */
  sort?: LinkSort | undefined;
};

export type LinkPage = {
  /** In the order of `sort`. */
  links: ShownLink[];
  /** Gets the next page; absent on the last one. */
  nextCursor?: string | undefined;
  /** How many links match, on the first page, if the source knows. */
  total?: LinkTotal | undefined;
};

/** All links of a query, or some. */
export type LinkSelection = { query: LinkQuery } | { aliases: string[] };
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

export type LinkFailure = {
  ok: false;
  code: string;
  /** What went wrong, in the shown language. */
  text: string;
  issues?: Issue[] | undefined;
  /** Free aliases, with `alias_taken`. */
  suggestions?: string[] | undefined;
  /** With `version_mismatch`: the link as it is now. */
  current?: ShownLink | undefined;
};
export type Outcome<T> = { ok: true; data: T } | LinkFailure;

export type EditOptions = {
  /** Fails with `version_mismatch` if the link was edited since it was read. @default false */
  isConditional?: boolean;
};

/** Where a list of links comes from and where its changes go. Never throws. */
export interface LinkSource {
  /** What the user should know about the list: how old it is, or what cannot be done. */
  readonly notices: ReadonlySignal<string[]>;
  /** Those that the account can use, for a choice. Empty if they cannot be read. */
  domains(): Promise<DomainChoice[]>;
  /** Whether the server knows from which country a visit comes. */
  knowsCountries(): Promise<boolean>;
  page(query: LinkQuery, cursor: string | undefined): Promise<Outcome<LinkPage>>;
  /** The tags of the account's links, the most used first. */
  tags(): Promise<Outcome<TagCount[]>>;
  /** Changes a part of the selected links. */
  changeAll(
    selection: LinkSelection,
    change: LinkChange,
    options?: ChangeOptions,
  ): Promise<Outcome<ChangedLinks>>;
  edit(link: ShownLink, changes: EditRequest, options?: EditOptions): Promise<Outcome<ShownLink>>;
  /** Deletes a link so that it can be restored. */
  remove(link: ShownLink): Promise<Outcome<true>>;
  /** Undoes `remove`. */
  restore(link: ShownLink): Promise<Outcome<ShownLink>>;
  /** Erases a link for good. */
  purge(link: ShownLink): Promise<Outcome<true>>;
  /** Calls back when links changed elsewhere. @returns a function that stops it */
  subscribe(onChange: () => void): () => void;
}
