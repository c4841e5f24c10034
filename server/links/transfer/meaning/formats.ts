import type { ImportField } from '../../../../shared/links/transfer.ts';
import { type ImportSource, SOURCE_NAMES } from '../../../../shared/links/transfer-formats.ts';

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

const list = (text: string) => text.split(',').map((name) => name.trim());
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

/** What redirects are from and to, if paths or URLs are there. Elsewhere, `from` can be a date, and `source` a campaign. */
export const OLD_PLACES = list('source, source url, from, origin, old, old url, request');
export const NEW_PLACES = list('to, new, new url');

/**
 * What columns of any other table mean, most certain first. A name can be in several lists: `url` is the target
 * unless another column is, and then it is the short URL.
 */
export const NAMES: Partial<Record<ImportField, string[]>> = {
  originalUrl: list(`
    original url, long url, long link, destination url, destination, destination link,
    target url, target, redirect url, redirect to, original link, original, full url, ziel,
    ziel-url, url de destino, destino, url longue, url larga, lange url, url, link, href, uri,
    website, web address, ${NEW_PLACES.join()}
  `),
  shortUrl: list(`
    short url, short link, shortened url, shortened link, short, tiny url, bitlink,
    custom short url, custom short link, custom url, custom link, branded link, kurz-url, kurzlink,
    url courte, lien court, url corta, enlace corto, 短縮url, link, url, ${OLD_PLACES.join()}
  `),
  alias: list(`
    alias, slug, keyword, short code, short id, custom alias, custom slug, custom keyword,
    ${OLD_PLACES.join()}, back-half, back half, slashtag, vanity, vanity url, vanity path, row key, code, key, path,
    hash, name, id
  `),
  domain: list('domain, host, short domain, domain name'),
  label: list(`
    label, name, private title, internal name, notes, note, private notes, private note,
    internal notes, internal note, comment, comments, remark, remarks, memo, annotation, notiz,
    notizen, anmerkung, anmerkungen, bemerkung, bemerkungen, kommentar, kommentare, remarque,
    remarques, commentaire, commentaires, nota, notas, comentario, comentarios, observaciones,
    メモ, 備考, コメント, ملاحظة, ملاحظات, تعليق, تعليقات
  `),
  title: list('title, link title, titel, titre, título'),
  description: list('description, beschreibung, descripción, 説明, وصف'),
  tags: list(`
    tags, tag, labels, folder, category, categories, collection, schlagwörter, étiquettes, etiquetas
  `),
  created: list(`
    created, created at, created on, date created, creation date, created date, date added,
    timestamp, erstellt, erstellt am, date de création, créé le, fecha de creación, creado, fecha,
    date
  `),
  modified: list('modified, updated at, modified at, last modified, updated'),
  startsAt: list(`
    starts at, start date, start, valid since, valid from, active from, scheduled at, publish at,
    publish date, schedule, start time, available from, not before, startdatum, gültig ab,
    date de début, fecha de inicio, válido desde
  `),
  expiresAt: list(`
    expires at, expires, expiry, expiration, expiration date, expiry date, expire in, expires on,
    expired at, expiry time, valid until, valid to, end date, ends at, active until, läuft ab,
    expire at, expiration at, expiration time, valid till, available until, not after, end time,
    ablaufdatum, gültig bis, enddatum, date d'expiration, expire le, date de fin,
    fecha de caducidad, caduca, válido hasta, fecha de fin, 有効期限, تاريخ الانتهاء
  `),
  maxVisits: list(`
    max visits, max clicks, click limit, clicks limit, visit limit, max hits, limit, max uses,
    usage limit, max klicks, klick-limit, limite de clics, límite de clics
  `),
  visitsLeft: list(`
    uses left, visits left, clicks left, remaining uses, remaining visits, remaining clicks,
    uses remaining, visits remaining, clicks remaining, verbleibende klicks, clics restants,
    clics restantes, 残りクリック数
  `),
  hits: list(
    'hits, clicks, visits, total clicks, visit count, click count, views, klicks, clics, zugriffe, aufrufe',
  ),
  isActive: list(`
    is active, active, enabled, is enabled, aktiv, aktiviert, actif, activé, activo, activado,
    habilitado, 有効, نشط
  `),
  paused: list(`
    paused, is paused, disabled, is disabled, disabled at, inactive, banned, blocked, is banned,
    deactivated, locked, pausiert, deaktiviert, gesperrt, désactivé, inactif, en pause, desactivado,
    deshabilitado, inactivo, pausado, 無効, معطل
  `),
  status: list('status, state, statut, estado, zustand, ステータス, الحالة'),
  password: list(`
    password, has password, password protected, is password protected, protected, password hash,
    passwort, kennwort, contraseña, mot de passe, secret, secret key, passcode, access code, pwd
  `),
  isDeleted: list('is deleted, deleted, deleted at'),
  goneUrl: list('expired url, expiration url, fallback url'),
};

export function normalizeName(name: string): string {
  return name
    .normalize('NFC')
    .toLowerCase()
    .replace(/[\s_?:-]/g, '');
}

const services = Object.values(SOURCE_NAMES).filter(Boolean);
/** What can be imported, for who sends something else. */
export const KNOWN_FILES = `It can be an export of ${services.slice(0, -1).join(', ')} or ${services.at(-1)}, bookmarks, a list of URLs, or a table with the column originalUrl.`;
