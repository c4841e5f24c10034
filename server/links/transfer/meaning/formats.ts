import type { ImportField } from '../../../../shared/links/transfer.ts';
import { type ImportSource, SOURCE_NAMES } from '../../../../shared/links/transfer-formats.ts';

/** What the files of a service look like. The source of each is named in `test/fixtures/imports/README.md`. */
export type Format = {
  /** Columns that only files of this service have together. Any of the lists will do. */
  signs: string[];
  /**
   * The columns of each field, regardless of case, spaces, `-`, `_`, `?` and `:`. The first that has a value in a
   * row is read. What a service shows to the owner of a link alone is its `label`, never its `title` or
   * `description`.
   */
  fields: { [K in ImportField]?: string };
  /** Columns that have no place in Curt, and protect nothing. */
  ignored?: string;
  /** Separates tags in a cell. @default what Curt's own tables have */
  tagSeparator?: string;
  /** Whether it can be installed in a folder, which is part of its short URLs then. */
  isInFolder?: true;
  /** An alias that is no link, but where the domain itself leads. */
  rootAlias?: string;
  /** What Shlink does unless a link says otherwise. */
  forwardsQuery?: true;
};

/** Returns the names in a text, which are in lines, or have commas between them. */
export const names = (text: string) =>
  text
    .split(/[,\n]/)
    .map((name) => name.trim())
    .filter((name) => name !== '');

/** Returns the columns of a format by name, with what they mean; null for those that are ignored. */
export function columnsOf({ fields, ignored = '' }: Format): Map<string, ImportField | null> {
  const known = new Map<string, ImportField | null>();
  for (const [field, columns] of Object.entries(fields) as [ImportField, string][]) {
    for (const name of names(columns)) known.set(name, field);
  }
  for (const name of names(ignored)) known.set(name, null);
  return known;
}

/** What Shlink and Dub have beside plain fields, `foreign-fields.ts` reads. */
export const FORMATS: Partial<Record<ImportSource, Format>> = {
  curt: { signs: ['originalUrl'], fields: {} },
  kutt: {
    signs: ['address, target'],
    fields: {
      alias: 'address',
      domain: 'domain',
      shortUrl: 'link',
      originalUrl: 'target',
      label: 'description',
      created: 'created_at',
      modified: 'updated_at',
      expiresAt: 'expire_in',
      hits: 'visit_count',
      password: 'password',
      paused: 'banned',
    },
    ignored: 'id, uuid, user_id, domain_id, banned_by_id',
  },
  shlink: {
    signs: ['shortCode, longUrl', 'short_code, original_url, title_was_auto_resolved'],
    fields: {
      alias: 'shortCode',
      domain: 'domain',
      shortUrl: 'shortUrl',
      originalUrl: 'longUrl, original_url',
      created: 'dateCreated, createdAt',
      label: 'title',
      tags: 'tags',
      startsAt: 'meta.validSince, validSince',
      expiresAt: 'meta.validUntil, validUntil',
      maxVisits: 'meta.maxVisits, maxVisits',
      // Curt counts people only.
      hits: 'visitsSummary.nonBots, visitsSummary.total, visitsCount, visits',
      forwardQuery: 'forwardQuery',
      rules: 'redirectRules, hasRedirectRules',
    },
    ignored: 'visitsSummary.bots, crawlable, id, domain_id, title_was_auto_resolved',
    tagSeparator: '|',
    forwardsQuery: true,
  },
  dub: {
    signs: ['shortLink, key, url', 'Short link, Destination URL, Clicks, Created at'],
    fields: {
      alias: 'key',
      domain: 'domain',
      shortUrl: 'shortLink',
      originalUrl: 'url, Destination URL',
      title: 'title',
      description: 'description',
      label: 'comments',
      tags: 'tags',
      created: 'createdAt',
      modified: 'updatedAt',
      expiresAt: 'expiresAt',
      goneUrl: 'expiredUrl',
      paused: 'disabledAt',
      password: 'password',
      hits: 'clicks',
      iosUrl: 'ios',
      androidUrl: 'android',
      rules: 'geo, testVariants, testCompletedAt',
      card: 'proxy, image',
    },
    ignored: 'archived, publicStats, testStartedAt, lastClicked, id',
    tagSeparator: ',',
    rootAlias: '_root',
  },
  yourls: {
    signs: [
      'keyword, url',
      'shorturl, url, timestamp',
      'shorturl, url, clicks',
      'source, target, hits',
    ],
    fields: {
      alias: 'keyword, source',
      shortUrl: 'shorturl',
      originalUrl: 'url, target',
      label: 'title',
      created: 'timestamp',
      hits: 'clicks, hits',
    },
    ignored: 'ip',
    isInFolder: true,
  },
  bitly: {
    signs: [
      'bitlink',
      'link, custom link, destination url',
      'id, long_url, custom_bitlinks',
      'id, long_url, created_at',
    ],
    fields: {
      shortUrl: 'bitlink, link, id',
      previousAliases: 'custom_bitlinks, custom bitlink, custom link',
      originalUrl: 'long_url, destination, destination url, original url, target url',
      label: 'title, link title',
      created: 'created_at, created, date created, created date, creation date',
      tags: 'tags',
      hits: 'clicks, total clicks, link clicks, engagements, total engagements',
      isDeleted: 'is_deleted',
    },
    ignored: 'archived, references.group',
    tagSeparator: ',',
  },
  chhoto: {
    signs: [
      'shortlink, longurl, expiry_time',
      'short_url, long_url, expiry_time',
      'shortlink, longurl, hits',
    ],
    fields: {
      alias: 'shortlink, short_url',
      originalUrl: 'longurl, long_url',
      hits: 'hits',
      expiresAt: 'expiry_time',
      label: 'notes',
    },
    ignored: 'id',
  },
  polr: {
    signs: ['short_url, long_url, is_disabled'],
    fields: {
      alias: 'short_url',
      originalUrl: 'long_url',
      hits: 'clicks',
      paused: 'is_disabled',
      // Whoever does not know it gets a 404.
      password: 'secret_key',
      created: 'created_at',
      modified: 'updated_at',
    },
    ignored: 'id, ip, creator, is_custom, is_api, long_url_hash',
  },
  sink: {
    signs: ['slug, url, comment', 'slug, url, expiration', 'slug, url, createdAt, updatedAt'],
    fields: {
      alias: 'slug',
      originalUrl: 'url',
      title: 'title',
      description: 'description',
      label: 'comment',
      created: 'createdAt',
      modified: 'updatedAt',
      expiresAt: 'expiration',
      password: 'password',
      // Visitors are warned.
      paused: 'unsafe',
      iosUrl: 'apple',
      androidUrl: 'google',
      forwardQuery: 'redirectWithQuery',
      tags: 'tags',
    },
    ignored: 'id, image, cloaking',
  },
  rebrandly: {
    signs: ['slashtag, destination'],
    fields: {
      alias: 'slashtag',
      domain: 'domainName, domain.fullName',
      shortUrl: 'shortUrl',
      originalUrl: 'destination',
      label: 'title, description',
      created: 'createdAt',
      modified: 'updatedAt',
      hits: 'clicks',
      status: 'status',
      tags: 'tags',
    },
    ignored: `
      id, https, favourite, isPublic, lastClickAt, lastClickDate, domainId, domain.id,
      domain.ref, domain.active, creator.id, creator.fullName, creator.avatarUrl
    `,
  },
  shortio: {
    signs: ['originalURL, secureShortURL', 'originalURL, path'],
    fields: {
      alias: 'path',
      shortUrl: 'shortURL, secureShortURL',
      originalUrl: 'originalURL',
      label: 'title',
      tags: 'tags',
      created: 'createdAt',
      modified: 'updatedAt',
      expiresAt: 'expiresAt, ttl',
      goneUrl: 'expiredURL',
      maxVisits: 'clicksLimit',
      password: 'hasPassword, password',
      iosUrl: 'iphoneURL',
      androidUrl: 'androidURL',
      rules: 'splitURL, splitPercent',
      hits: 'clicks, humanClicks',
    },
    ignored: `
      passwordContact, archived, hasPreviews, id, idString, lcpath, DomainId, OwnerId,
      cloaking, skipQS
    `,
  },
  tinyurl: {
    signs: ['tiny_url, url', 'tiny_url, alias'],
    fields: {
      shortUrl: 'tiny_url',
      alias: 'alias',
      domain: 'domain',
      originalUrl: 'url',
      tags: 'tags',
      label: 'description',
      created: 'created_at',
      expiresAt: 'expires_at',
      isDeleted: 'deleted',
      hits: 'hits',
    },
    ignored: 'archived, analytics.enabled, analytics.public',
  },
  tinycc: {
    signs: ['hash, long_url, short_url', 'hash, long_url, total_clicks'],
    fields: {
      alias: 'hash',
      shortUrl: 'short_url',
      originalUrl: 'long_url',
      label: 'note',
      tags: 'tags',
      created: 'created',
      expiresAt: 'expiration_date',
      maxVisits: 'max_visits',
      hits: 'unique_clicks, total_clicks',
    },
    ignored: 'email_stats',
  },
  raindrop: {
    signs: ['url, excerpt, folder'],
    fields: {
      originalUrl: 'url',
      label: 'title, note, excerpt',
      tags: 'tags, folder',
      created: 'created',
    },
    ignored: 'id, cover, highlights, favorite',
    tagSeparator: ',',
  },
  pocket: {
    signs: ['url, time_added, tags, status', 'given_url, time_added'],
    fields: {
      originalUrl: 'resolved_url, given_url, url',
      label: 'resolved_title, given_title, excerpt, title',
      modified: 'time_updated',
      tags: 'tags',
      created: 'time_added',
    },
    // `status` says whether somebody has read it.
    ignored: `
      status, cursor, item_id, resolved_id, favorite, time_read, time_favorited, sort_id,
      is_article, is_index, has_video, has_image, word_count, lang
    `,
    tagSeparator: '|',
  },
  pinboard: {
    signs: ['href, extended, toread'],
    fields: {
      originalUrl: 'href',
      // `description` is the title.
      label: 'description, extended',
      tags: 'tags',
      created: 'time',
    },
    ignored: 'meta, hash, shared, toread',
    tagSeparator: ' ',
  },
  linkding: {
    signs: ['url, tag_names, date_added', 'url, tag_names, is_archived'],
    fields: {
      originalUrl: 'url',
      label: 'title, website_title, description, notes, website_description',
      tags: 'tag_names',
      created: 'date_added',
      modified: 'date_modified',
    },
    ignored: `
      id, is_archived, unread, shared, web_archive_snapshot_url, favicon_url,
      preview_image_url
    `,
  },
  bookmarks: {
    signs: ['HREF, ADD_DATE, TAGS'],
    fields: {
      originalUrl: 'HREF',
      label: 'Title, Description',
      tags: 'TAGS, Folder',
      created: 'ADD_DATE',
    },
    tagSeparator: ',',
  },
  list: {
    signs: [],
    fields: {
      originalUrl: 'URL',
      label: 'Title',
    },
  },
};

const services = Object.values(SOURCE_NAMES).filter(Boolean);
/** What can be imported, for who sends something else. */
export const KNOWN_FILES = `It can be an export of ${services.slice(0, -1).join(', ')} or ${services.at(-1)}, bookmarks, a list of URLs, or a table with the column originalUrl.`;
