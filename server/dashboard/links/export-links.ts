import { formatNumber } from '../../../shared/i18n/plural.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { selectExported } from '../../../shared/links/exported-file.ts';
import type { LinkFilter } from '../../../shared/links/link-list.ts';
import type { LinkRecord } from '../../../shared/links/link-record.ts';
import type { ExportFormat } from '../../../shared/links/transfer-formats.ts';
import { saveFile } from '../../../shared/ui/save-file.ts';
import type { Api } from '../api/api.ts';

/** Saves a file with these links, or with all that match. @returns why it couldn't, or that some are missing */
export async function exportLinks(
  api: Api,
  links: LinkRecord[] | LinkFilter,
  format: ExportFormat,
): Promise<string | undefined> {
  const exported = await api.call((client) =>
    client.exportLinks({ format, secrets: false, ...(Array.isArray(links) ? {} : links) }),
  );
  if (!exported.ok) return api.explain(exported);
  const name = `curt-links.${format}`;
  if (!Array.isArray(links)) {
    saveFile(exported.data, name);
    return undefined;
  }
  const shortUrls = new Set(links.map(({ shortUrl }) => shortUrl));
  const selected = selectExported(await exported.data.text(), format, shortUrls);
  const missing = links.length - selected.found;
  if (selected.found > 0) {
    saveFile(new Blob([selected.file], { type: exported.data.type }), name);
  }
  // Deleted elsewhere meanwhile.
  return missing > 0 ? t('export_missing', formatNumber(missing)) : undefined;
}
