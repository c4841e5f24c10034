import { t } from '../../../shared/i18n/translate.ts';
import type { Copied, CopyFormat } from '../../../shared/links/copy-format.ts';
import type { ShortenRequest } from '../../../shared/links/shorten-request.ts';
import { copyFromPage } from '../../../shared/ui/copy-text.js';
import { lazyCode } from '../../../shared/ui/lazy.ts';
import type { LinkSource } from '../../../shared/ui/links/link-source.ts';
import { onReturn } from '../../../shared/ui/links/list-address.ts';
import {
  createLinksState,
  type LinksStart,
  type LinksState,
} from '../../../shared/ui/links/state/links-state.ts';
import type { Created } from '../../../shared/ui/links/state/new-link.ts';
import { UNREACHABLE } from '../api/calls.ts';
import type { Dashboard } from '../app/dashboard.ts';
import { pathNameOf } from '../app/path-name.ts';
import { BASE, CREATE, linkStatisticsPath } from '../app/router.ts';
import { createHttpLinkSource } from './http-link-source.ts';

export type Tools = Pick<Dashboard, 'api' | 'origin'>;

/** Creates the links of the account, which may have changed whenever the user comes back to the page. */
export function createSource(tools: Tools): LinkSource {
  return createHttpLinkSource({
    // A change of all links, part by part, must not go on in an account that another tab signs in to.
    call: tools.api.callOfAccount(),
    failureText: tools.api.explain,
    startOfList: tools.api.takeListAhead,
    subscribe: onReturn,
  });
}

export function createCreator(tools: Tools): (request: ShortenRequest) => Promise<Created> {
  const shortener = lazyCode(async () =>
    (await import('../create/shorten-once.ts')).createShortener(tools.api),
  );
  return async (request) => {
    const created = await shortener.use(
      (shorten) => shorten(request),
      () => UNREACHABLE,
    );
    return created.ok ? created : { ...created, text: await tools.api.explain(created) };
  };
}

/** Returns the page with the statistics of each link. */
export function statisticsUrlIn({ origin }: Tools): (link: { shortUrl: string }) => string {
  return (link) => linkStatisticsPath(pathNameOf(link, origin));
}

async function loadFormatted(link: Copied, format: CopyFormat): Promise<string> {
  const { formatCopy } = await import('../../../shared/links/copy-format.ts');
  return formatCopy(link, format);
}

const exporting = lazyCode(() => import('./export-links.ts'));

/** Creates the list of the account's links. */
export function createLinks(tools: Tools, options: LinksStart): LinksState {
  const { api } = tools;
  const createLink = createCreator(tools);
  return createLinksState(
    {
      newLink: {
        formUrl: `${BASE}${CREATE}`,
        copyLater: (link) => copyFromPage(link.then(({ shortUrl }) => shortUrl)),
        create: (originalUrl) => createLink({ originalUrl }),
        cleansUrls: true,
        duplicate: createLink,
      },
      source: createSource(tools),
      copy: (link, format) =>
        copyFromPage(format === undefined ? link.shortUrl : loadFormatted(link, format)),
      exportLinks: (links, format) =>
        exporting.use(
          ({ exportLinks }) => exportLinks(api, links, format),
          () => t('part_failed_text'),
        ),
      statisticsUrl: statisticsUrlIn(tools),
    },
    options,
  );
}
