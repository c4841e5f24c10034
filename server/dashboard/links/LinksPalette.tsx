import { useMemo } from 'preact/hooks';
import { Palette, type PaletteProps } from '../../../shared/ui/palette/Palette.tsx';
import { searchLinks } from '../../../shared/ui/palette/search-links.ts';
import type { PageProps } from '../app/dashboard.ts';
import { linkStatisticsPath } from '../app/link-paths.ts';
import { pathNameOf } from '../app/path-name.ts';
import { createSource } from './create-links.ts';

/** Finds the dashboard's pages and the account's links. */
export function LinksPalette({ dashboard, ...more }: PageProps & Omit<PaletteProps, 'search'>) {
  const search = useMemo(
    () =>
      searchLinks(createSource(dashboard), (link) =>
        linkStatisticsPath(pathNameOf(link, dashboard.origin)),
      ),
    [dashboard],
  );
  return <Palette {...more} search={search} />;
}
