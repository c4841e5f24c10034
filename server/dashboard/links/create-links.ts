import { failureText } from '../../../shared/i18n/failure-text.ts';
import { formatNumber } from '../../../shared/i18n/plural.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { toShownLink } from '../../../shared/links/shown-link.ts';
import { copyFromPage } from '../../../shared/ui/copy-text.js';
import { linkFailureText } from '../../../shared/ui/links/failure-text.ts';
import type { LinkSource } from '../../../shared/ui/links/link-source.ts';
import { selectExported } from '../../../shared/ui/links/select-exported.ts';
import {
  createLinksState,
  type LinksStart,
  type LinksState,
} from '../../../shared/ui/links/state/links-state.ts';
import { saveFile } from '../../../shared/ui/save-file.ts';
import type { Dashboard } from '../app/dashboard.ts';
import { CREATE, linkStatisticsPath } from '../app/link-paths.ts';
import { pathNameOf } from '../app/path-name.ts';
import { BASE } from '../app/router.ts';
import { createShortener } from '../create/shorten-once.ts';
import { createHttpLinkSource } from './http-link-source.ts';

type Tools = Pick<Dashboard, 'api' | 'origin'>;

function textsOf({ origin }: Tools) {
  return (failure: Parameters<typeof failureText>[0]): string => {
    const { title, text } = failureText(failure, origin);
    return linkFailureText(failure.code) ?? t('title_and_text', title, text);
  };
}

/** The links of the account, which may have changed whenever the user comes back to the page. */
export function createSource(tools: Tools): LinkSource {
  return createHttpLinkSource({
    // A change of all links, part by part, must not go on in an account that another tab signs in to.
    call: tools.api.callOfAccount(),
    failureText: textsOf(tools),
    subscribe(onChange) {
      addEventListener('focus', onChange);
      return () => removeEventListener('focus', onChange);
    },
  });
}

/** The list of the account's links. */
export function createLinks(tools: Tools, options: LinksStart): LinksState {
  const { api } = tools;
  const textOf = textsOf(tools);
  const shorten = createShortener(api);
  return createLinksState(
    {
      newLink: {
        formUrl: `${BASE}${CREATE}`,
        copyLater: (link) => copyFromPage(link.then(({ shortUrl }) => shortUrl)),
        async create(originalUrl) {
          const created = await shorten({ originalUrl });
          return created.ok
            ? { ok: true, data: toShownLink(created.data) }
            : { ok: false, code: created.code, text: textOf(created) };
        },
      },
      source: createSource(tools),
      copy: ({ shortUrl }) => copyFromPage(shortUrl),
      async exportLinks(links, format) {
        const exported = await api.call((client, token) =>
          client.exportLinks(token, { format, secrets: false }),
        );
        if (!exported.ok) return textOf(exported);
        const shortUrls = new Set(links.map(({ shortUrl }) => shortUrl));
        const selected = selectExported(await exported.data.text(), format, shortUrls);
        const missing = links.length - selected.found;
        if (selected.found > 0) {
          saveFile(new Blob([selected.file], { type: exported.data.type }), `curt-links.${format}`);
        }
        // Deleted elsewhere meanwhile.
        return missing > 0 ? t('export_missing', formatNumber(missing)) : undefined;
      },
      nowMs: Date.now,
      statisticsUrl: (link) => linkStatisticsPath(pathNameOf(link, origin)),
    },
    options,
  );
}
