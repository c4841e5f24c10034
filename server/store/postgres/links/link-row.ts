import { urlsOf } from '../../../../shared/links/destinations.ts';
import { searchedText } from '../../../../shared/links/searched-text.ts';
import { hostAndDomains, hostOfUrl } from '../../../lib/host-name.ts';
import type { Link } from '../../link.ts';
import { aliasOrder } from '../../records/alias-order.ts';
import { foldedTags } from '../../records/folded-tags.ts';
import { changedLink, fromLinkJson, type LinkJson, toLinkJson } from '../../records/link-json.ts';

/** What is read of a row of `links`. */
export type StoredLink = { id: string; hits: number; link: LinkJson };

/** The columns of `StoredLink`. */
export const STORED_LINK = 'id, hits, link';

type Column = [type: string, toValue: (link: Link, json: LinkJson) => unknown];

/** The columns of `links`: of which type each is sent, and what it has. */
export const LINK_COLUMNS = {
  id: ['text', ({ id }) => id],
  account_id: ['text', ({ accountId }) => accountId],
  created: ['bigint', ({ created }) => created],
  deleted_at: ['bigint', ({ deletedAt }) => deletedAt],
  hits: ['bigint', ({ hits }) => hits],
  link: ['text', (_, json) => JSON.stringify(json)],
  reversed_host: ['text', ({ targetUrl }) => reversedHost(hostOfUrl(targetUrl))],
  other_hosts: ['text[]', otherHosts],
  alias_order: ['text', aliasOrder],
  search_text: ['text', (_, json) => searchable(searchedText(json))],
  tags: ['text[]', (_, json) => foldedTags(json).map(searchable)],
  tag_names: ['text[]', ({ tags }) => tags.map(searchable)],
  import_key: ['text', ({ importKey }) => importKey],
} satisfies Record<string, Column>;
type LinkRow = Record<keyof typeof LINK_COLUMNS, unknown>;

/** A row of `links`. */
export function toLinkRow(link: Link): LinkRow {
  const json = toLinkJson(changedLink(link, { hits: 0 }));
  const columns: [string, Column][] = Object.entries(LINK_COLUMNS);
  return Object.fromEntries(columns.map(([name, [, of]]) => [name, of(link, json)])) as LinkRow;
}

export function fromLinkRow({ id, link, hits }: StoredLink): Link {
  return fromLinkJson(id, { ...link, hits });
}

function otherHosts({ rules, goneUrl, card }: Link): string[] {
  return urlsOf({ rules, goneUrl, card }).flatMap(({ url }) => [...hostAndDomains(hostOfUrl(url))]);
}

/** `com.example.www.` for `www.example.com`. */
export function reversedHost(host: string): string {
  return `${host.split('.').reverse().join('.')}.`;
}

/** A text without the character that PostgreSQL cannot store, and with another one for half characters. */
export function searchable(text: string): string {
  return text.replaceAll('\0', '\ufffd').toWellFormed();
}
