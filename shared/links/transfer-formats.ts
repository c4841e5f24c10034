/** What an imported file was exported from. `csv` is any table with the columns of Curt's own. */
export const IMPORT_SOURCES = ['curt', 'kutt', 'shlink', 'dub', 'yourls', 'bitly', 'csv'] as const;
export type ImportSource = (typeof IMPORT_SOURCES)[number];

export const EXPORT_FORMATS = ['json', 'csv'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];
