import type { ShownLink } from '../../links/shown-link.ts';
import type { LinkSource, Outcome } from '../links/link-source.ts';
import type { PaletteOption } from './Palette.tsx';

const LINKS_MAX = 8;

/** Finds links on the server, and leads to the statistics of each. */
export function searchLinks(
  source: Pick<LinkSource, 'page'>,
  statisticsUrl: (link: ShownLink) => string,
): (words: string) => Promise<Outcome<PaletteOption[]>> {
  return async (words) => {
    const page = await source.page({ words, tag: '' }, undefined);
    if (!page.ok) return page;
    const data = page.data.links.slice(0, LINKS_MAX).map((link): PaletteOption => {
      const shortUrl = link.shortUrl.replace(/^https?:\/\//, '');
      return {
        label: link.title || shortUrl,
        detail: link.title && shortUrl,
        icon: 'statistics',
        href: statisticsUrl(link),
      };
    });
    return { ok: true, data };
  };
}
