import { useMemo } from 'preact/hooks';
import { addressOf } from '../../../shared/links/link-address.ts';
import { copyFromPage } from '../../../shared/ui/copy-text.js';
import {
  Palette,
  type PaletteProps,
  type PaletteTools,
} from '../../../shared/ui/palette/Palette.tsx';
import type { PageProps } from '../app/dashboard.ts';
import { editLinkPath } from '../app/router.ts';
import { createCreator, createSource, statisticsUrlIn, type Tools } from './create-links.ts';
import '../../../shared/ui/palette/palette.css';

/** Finds the dashboard's pages and the account's links. */
export function LinksPalette({ dashboard, ...more }: PageProps & Omit<PaletteProps, 'tools'>) {
  const tools = useMemo(() => createPaletteTools(dashboard), [dashboard]);
  return <Palette {...more} tools={tools} />;
}

/** Creates what Ctrl+K finds, and does. */
function createPaletteTools(tools: Tools): PaletteTools {
  const createLink = createCreator(tools);
  return {
    source: createSource(tools),
    statisticsUrl: statisticsUrlIn(tools),
    editUrl: (link) => editLinkPath(addressOf(link)),
    copy: ({ shortUrl }) => copyFromPage(shortUrl),
    create: (originalUrl) => createLink({ originalUrl }),
    cleansUrls: true,
  };
}
