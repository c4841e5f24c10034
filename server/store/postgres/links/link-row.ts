import { hostOfUrl } from '../../../core/host-name.ts';
import type { Link } from '../../link.ts';
import { fromLinkJson, type LinkJson, toLinkJson } from '../../records/link-json.ts';
import { foldedTags, searchedTexts } from '../../records/searched-texts.ts';

/** What the columns of a row of `aliases` have of a link. The text of its JSON is in `link`. */
export type LinkRow = {
  key: string;
  id: string;
  created: number;
  deleted_at: number | null;
  hits: number;
  link: string;
  reversed_host: string;
  search_text: string;
  tags: string[];
  import_key: string | null;
};

/** What is read of a row of `aliases` that has a link. */
export type StoredLink = { key: string; id: string; hits: number; link: LinkJson };

/** The columns of `StoredLink`. */
export const STORED_LINK = 'key, id, hits, link';

export function toLinkRow(link: Link): LinkRow {
  const json = toLinkJson({ ...link, hits: 0 });
  return {
    key: link.alias.toLowerCase(),
    id: link.id,
    created: link.created,
    deleted_at: link.deletedAt,
    hits: link.hits,
    link: JSON.stringify(json),
    reversed_host: reversedHost(hostOfUrl(link.targetUrl)),
    search_text: searchable(searchedTexts(json).join('\n')),
    tags: foldedTags(json).map(searchable),
    import_key: link.importKey,
  };
}

export function fromLinkRow({ link, hits }: Pick<StoredLink, 'link' | 'hits'>): Link {
  return fromLinkJson(link, hits);
}

/** `com.example.www.` for `www.example.com`. */
export function reversedHost(host: string): string {
  return `${host.split('.').reverse().join('.')}.`;
}

/** A text without the character that PostgreSQL cannot store, and with another one for half characters. */
export function searchable(text: string): string {
  return text.replaceAll('\0', '\ufffd').toWellFormed();
}
