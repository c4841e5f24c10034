/** What an imported file was exported from, by the names of people. */
export const SOURCE_NAMES = {
  curt: 'Curt',
  kutt: 'Kutt',
  shlink: 'Shlink',
  dub: 'Dub',
  yourls: 'YOURLS',
  bitly: 'Bitly',
  chhoto: 'Chhoto URL',
  polr: 'Polr',
  sink: 'Sink',
  rebrandly: 'Rebrandly',
  shortio: 'Short.io',
  tinyurl: 'TinyURL',
  tinycc: 'tiny.cc',
  raindrop: 'Raindrop.io',
  pocket: 'Pocket',
  pinboard: 'Pinboard',
  linkding: 'linkding',
  bookmarks: '',
  list: '',
  csv: '',
} as const;
export type ImportSource = keyof typeof SOURCE_NAMES;
/** `bookmarks` are those of a browser, `list` is a URL a line, and `csv` any other table. */
export const IMPORT_SOURCES = Object.keys(SOURCE_NAMES) as [ImportSource, ...ImportSource[]];

/** What a file says of a link in a way of its own. */
export const SAID_OTHERWISE = [
  'password',
  'paused',
  'status',
  'isDeleted',
  'visitsLeft',
  'iosUrl',
  'androidUrl',
] as const;

/** The fields that people choose from for a column, in this order. */
export const CHOSEN_FIELDS = [
  'originalUrl',
  'shortUrl',
  'alias',
  'domain',
  'label',
  'title',
  'description',
  'tags',
  'created',
  'startsAt',
  'expiresAt',
  'maxVisits',
  'visitsLeft',
  'hits',
  'isActive',
  'paused',
  'status',
  'password',
  'goneUrl',
] as const;

/**
 * What to ask about a column: another column has its field, too; the order of day and month in its dates; its
 * times have no zone, and were taken as UTC; it seems to protect links, which are paused therefore; or it is for the owner of a link alone, and becomes the
 * private title.
 */
export const COLUMN_NOTES = ['same_field', 'date_order', 'utc', 'pauses', 'private'] as const;

export const DATE_ORDERS = ['day', 'month'] as const;

/** Encodings of files that are not UTF-8 or UTF-16. */
export const ENCODINGS = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'windows-1252',
  'macintosh',
  'cp850',
  'cp437',
  'cp852',
  'windows-1250',
  'windows-1251',
  'windows-1253',
  'windows-1254',
  'windows-1255',
  'windows-1256',
  'shift_jis',
  'euc-jp',
  'gb18030',
  'big5',
  'euc-kr',
] as const;
export type Encoding = (typeof ENCODINGS)[number];

export const EXPORT_FORMATS = ['json', 'csv'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Tables that other services import. */
export const MOVING_FORMATS = ['shlink', 'yourls'] as const;
export type MovingFormat = (typeof MOVING_FORMATS)[number];
export const FILE_FORMATS = [...EXPORT_FORMATS, ...MOVING_FORMATS] as const;
export type FileFormat = (typeof FILE_FORMATS)[number];
