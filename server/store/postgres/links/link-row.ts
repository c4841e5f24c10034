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

/** A row of `links`. */
export function toLinkRow(link: Link) {
  const json = toLinkJson(changedLink(link, { hits: 0 }));
  return {
    id: link.id,
    account_id: link.accountId,
    created: link.created,
    deleted_at: link.deletedAt,
    hits: link.hits,
    /** The text of its JSON. */
    link: JSON.stringify(json),
    reversed_host: reversedHost(hostOfUrl(link.targetUrl)),
    other_hosts: otherHosts(link),
    alias_order: aliasOrder(link),
    search_text: searchable(searchedText(json)),
    tags: foldedTags(json).map(searchable),
    tag_names: link.tags.map(searchable),
    import_key: link.importKey,
  };
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
