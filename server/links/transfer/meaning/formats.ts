import type { ImportField } from '../../../../shared/links/transfer.ts';
import { type ImportSource, SOURCE_NAMES } from '../../../../shared/links/transfer-formats.ts';
import { list } from './names.ts';

/** What the files of a service look like. The source of each is named in `test/fixtures/imports/README.md`. */
export type Format = {
  /** Columns that only files of this service have together. Any of the lists will do. */
  signs: string[][];
  /**
   * The fields of its columns, regardless of case, spaces, `-`, `_`, `?` and `:`. Of columns with one field, the
   * first that has a value in a row. What a service shows to the owner of a link alone is its `label`, never its
   * `title` or `description`. null has no place in Curt, and protects nothing.
   */
  fields: Record<string, ImportField | null>;
  /** Separates tags in a cell. @default what Curt's own tables have */
  tagSeparator?: string;
  /** Whether it can be installed in a folder, which is part of its short URLs then. */
  isInFolder?: true;
  /** An alias that is no link, but where the domain itself leads. */
  rootAlias?: string;
  /** What Shlink does unless a link says otherwise. */
  forwardsQuery?: true;
};

/** Columns that have no place in Curt, and protect nothing. */
const ignored = (names: string) => Object.fromEntries(list(names).map((name) => [name, null]));

/** What Shlink and Dub have beside plain fields, `foreign-fields.ts` reads. */
export const FORMATS: Partial<Record<ImportSource, Format>> = {
  curt: {
    signs: [['originalUrl']],
    fields: {},
  },
  kutt: {
    signs: [['address', 'target']],
    fields: {
      address: 'alias',
      domain: 'domain',
      link: 'shortUrl',
      target: 'originalUrl',
      description: 'label',
      created_at: 'created',
      updated_at: 'modified',
      expire_in: 'expiresAt',
      visit_count: 'hits',
      password: 'password',
      banned: 'paused',
      ...ignored('id, uuid, user_id, domain_id, banned_by_id'),
    },
  },
  shlink: {
    signs: [
      ['shortCode', 'longUrl'],
      ['short_code', 'original_url', 'title_was_auto_resolved'],
    ],
    fields: {
      shortCode: 'alias',
      domain: 'domain',
      shortUrl: 'shortUrl',
      longUrl: 'originalUrl',
      original_url: 'originalUrl',
      dateCreated: 'created',
      createdAt: 'created',
      title: 'label',
      tags: 'tags',
      'meta.validSince': 'startsAt',
      'meta.validUntil': 'expiresAt',
      'meta.maxVisits': 'maxVisits',
      validSince: 'startsAt',
      validUntil: 'expiresAt',
      maxVisits: 'maxVisits',
      // Curt counts people only.
      'visitsSummary.nonBots': 'hits',
      'visitsSummary.total': 'hits',
      visitsCount: 'hits',
      visits: 'hits',
      forwardQuery: 'forwardQuery',
      redirectRules: 'rules',
      hasRedirectRules: 'rules',
      ...ignored('visitsSummary.bots, crawlable, id, domain_id, title_was_auto_resolved'),
    },
    tagSeparator: '|',
    forwardsQuery: true,
  },
  dub: {
    signs: [
      ['shortLink', 'key', 'url'],
      ['Short link', 'Destination URL', 'Clicks', 'Created at'],
    ],
    fields: {
      key: 'alias',
      domain: 'domain',
      shortLink: 'shortUrl',
      url: 'originalUrl',
      'Destination URL': 'originalUrl',
      title: 'title',
      description: 'description',
      comments: 'label',
      tags: 'tags',
      createdAt: 'created',
      updatedAt: 'modified',
      expiresAt: 'expiresAt',
      expiredUrl: 'goneUrl',
      disabledAt: 'paused',
      password: 'password',
      clicks: 'hits',
      ios: 'iosUrl',
      android: 'androidUrl',
      geo: 'rules',
      testVariants: 'rules',
      testCompletedAt: 'rules',
      proxy: 'card',
      image: 'card',
      ...ignored('archived, publicStats, testStartedAt, lastClicked, id'),
    },
    tagSeparator: ',',
    rootAlias: '_root',
  },
  yourls: {
    signs: [
      ['keyword', 'url'],
      ['shorturl', 'url', 'timestamp'],
      ['shorturl', 'url', 'clicks'],
      ['source', 'target', 'hits'],
    ],
    fields: {
      keyword: 'alias',
      source: 'alias',
      shorturl: 'shortUrl',
      url: 'originalUrl',
      target: 'originalUrl',
      title: 'label',
      timestamp: 'created',
      clicks: 'hits',
      hits: 'hits',
      ip: null,
    },
    isInFolder: true,
  },
  bitly: {
    signs: [
      ['bitlink'],
      ['link', 'custom link', 'destination url'],
      ['id', 'long_url', 'custom_bitlinks'],
      ['id', 'long_url', 'created_at'],
    ],
    fields: {
      bitlink: 'shortUrl',
      link: 'shortUrl',
      id: 'shortUrl',
      custom_bitlinks: 'previousAliases',
      'custom bitlink': 'previousAliases',
      'custom link': 'previousAliases',
      long_url: 'originalUrl',
      destination: 'originalUrl',
      'destination url': 'originalUrl',
      'original url': 'originalUrl',
      'target url': 'originalUrl',
      title: 'label',
      'link title': 'label',
      created_at: 'created',
      created: 'created',
      'date created': 'created',
      'created date': 'created',
      'creation date': 'created',
      tags: 'tags',
      clicks: 'hits',
      'total clicks': 'hits',
      'link clicks': 'hits',
      engagements: 'hits',
      'total engagements': 'hits',
      is_deleted: 'isDeleted',
      ...ignored('archived, references.group'),
    },
    tagSeparator: ',',
  },
  chhoto: {
    signs: [
      ['shortlink', 'longurl', 'expiry_time'],
      ['short_url', 'long_url', 'expiry_time'],
      ['shortlink', 'longurl', 'hits'],
    ],
    fields: {
      shortlink: 'alias',
      short_url: 'alias',
      longurl: 'originalUrl',
      long_url: 'originalUrl',
      hits: 'hits',
      expiry_time: 'expiresAt',
      notes: 'label',
      id: null,
    },
  },
  polr: {
    signs: [['short_url', 'long_url', 'is_disabled']],
    fields: {
      short_url: 'alias',
      long_url: 'originalUrl',
      clicks: 'hits',
      is_disabled: 'paused',
      // Whoever does not know it gets a 404.
      secret_key: 'password',
      created_at: 'created',
      updated_at: 'modified',
      ...ignored('id, ip, creator, is_custom, is_api, long_url_hash'),
    },
  },
  sink: {
    signs: [
      ['slug', 'url', 'comment'],
      ['slug', 'url', 'expiration'],
      ['slug', 'url', 'createdAt', 'updatedAt'],
    ],
    fields: {
      slug: 'alias',
      url: 'originalUrl',
      title: 'title',
      description: 'description',
      comment: 'label',
      createdAt: 'created',
      updatedAt: 'modified',
      expiration: 'expiresAt',
      password: 'password',
      // Visitors are warned.
      unsafe: 'paused',
      apple: 'iosUrl',
      google: 'androidUrl',
      redirectWithQuery: 'forwardQuery',
      tags: 'tags',
      ...ignored('id, image, cloaking'),
    },
  },
  rebrandly: {
    signs: [['slashtag', 'destination']],
    fields: {
      slashtag: 'alias',
      domainName: 'domain',
      'domain.fullName': 'domain',
      shortUrl: 'shortUrl',
      destination: 'originalUrl',
      title: 'label',
      description: 'label',
      createdAt: 'created',
      updatedAt: 'modified',
      clicks: 'hits',
      status: 'status',
      tags: 'tags',
      ...ignored(`
        id, https, favourite, isPublic, lastClickAt, lastClickDate, domainId, domain.id,
        domain.ref, domain.active, creator.id, creator.fullName, creator.avatarUrl
      `),
    },
  },
  shortio: {
    signs: [
      ['originalURL', 'secureShortURL'],
      ['originalURL', 'path'],
    ],
    fields: {
      path: 'alias',
      shortURL: 'shortUrl',
      secureShortURL: 'shortUrl',
      originalURL: 'originalUrl',
      title: 'label',
      tags: 'tags',
      createdAt: 'created',
      updatedAt: 'modified',
      expiresAt: 'expiresAt',
      ttl: 'expiresAt',
      expiredURL: 'goneUrl',
      clicksLimit: 'maxVisits',
      hasPassword: 'password',
      password: 'password',
      iphoneURL: 'iosUrl',
      androidURL: 'androidUrl',
      splitURL: 'rules',
      splitPercent: 'rules',
      clicks: 'hits',
      humanClicks: 'hits',
      ...ignored(`
        passwordContact, archived, hasPreviews, id, idString, lcpath, DomainId, OwnerId,
        cloaking, skipQS
      `),
    },
  },
  tinyurl: {
    signs: [
      ['tiny_url', 'url'],
      ['tiny_url', 'alias'],
    ],
    fields: {
      tiny_url: 'shortUrl',
      alias: 'alias',
      domain: 'domain',
      url: 'originalUrl',
      tags: 'tags',
      description: 'label',
      created_at: 'created',
      expires_at: 'expiresAt',
      deleted: 'isDeleted',
      hits: 'hits',
      ...ignored('archived, analytics.enabled, analytics.public'),
    },
  },
  tinycc: {
    signs: [
      ['hash', 'long_url', 'short_url'],
      ['hash', 'long_url', 'total_clicks'],
    ],
    fields: {
      hash: 'alias',
      short_url: 'shortUrl',
      long_url: 'originalUrl',
      note: 'label',
      tags: 'tags',
      created: 'created',
      expiration_date: 'expiresAt',
      max_visits: 'maxVisits',
      unique_clicks: 'hits',
      total_clicks: 'hits',
      email_stats: null,
    },
  },
  raindrop: {
    signs: [['url', 'excerpt', 'folder']],
    fields: {
      url: 'originalUrl',
      title: 'label',
      note: 'label',
      excerpt: 'label',
      tags: 'tags',
      folder: 'tags',
      created: 'created',
      ...ignored('id, cover, highlights, favorite'),
    },
    tagSeparator: ',',
  },
  pocket: {
    signs: [
      ['url', 'time_added', 'tags', 'status'],
      ['given_url', 'time_added'],
    ],
    fields: {
      resolved_url: 'originalUrl',
      given_url: 'originalUrl',
      resolved_title: 'label',
      given_title: 'label',
      excerpt: 'label',
      time_updated: 'modified',
      url: 'originalUrl',
      title: 'label',
      tags: 'tags',
      time_added: 'created',
      // Whether somebody has read it.
      ...ignored(`
        status, cursor, item_id, resolved_id, favorite, time_read, time_favorited, sort_id,
        is_article, is_index, has_video, has_image, word_count, lang
      `),
    },
    tagSeparator: '|',
  },
  pinboard: {
    signs: [['href', 'extended', 'toread']],
    fields: {
      href: 'originalUrl',
      // The title.
      description: 'label',
      extended: 'label',
      tags: 'tags',
      time: 'created',
      ...ignored('meta, hash, shared, toread'),
    },
    tagSeparator: ' ',
  },
  linkding: {
    signs: [
      ['url', 'tag_names', 'date_added'],
      ['url', 'tag_names', 'is_archived'],
    ],
    fields: {
      url: 'originalUrl',
      title: 'label',
      website_title: 'label',
      description: 'label',
      notes: 'label',
      website_description: 'label',
      tag_names: 'tags',
      date_added: 'created',
      date_modified: 'modified',
      ...ignored(`
        id, is_archived, unread, shared, web_archive_snapshot_url, favicon_url,
        preview_image_url
      `),
    },
  },
  bookmarks: {
    signs: [['HREF', 'ADD_DATE', 'TAGS']],
    fields: {
      HREF: 'originalUrl',
      Title: 'label',
      TAGS: 'tags',
      Folder: 'tags',
      ADD_DATE: 'created',
      Description: 'label',
    },
    tagSeparator: ',',
  },
  list: { signs: [], fields: { URL: 'originalUrl', Title: 'label' } },
};

const services = Object.values(SOURCE_NAMES).filter(Boolean);
/** What can be imported, for who sends something else. */
export const KNOWN_FILES = `It can be an export of ${services.slice(0, -1).join(', ')} or ${services.at(-1)}, bookmarks, a list of URLs, or a table with the column originalUrl.`;
