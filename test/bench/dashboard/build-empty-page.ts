import { join } from 'node:path';
import { build } from 'vite';
import { compressedCopies } from '../../../server/dashboard/build/compressed-copies.ts';

/** Builds the smallest Preact page with the same options as the dashboard. */
export async function buildEmptyPage(folder: string): Promise<void> {
  await build({
    configFile: false,
    root: join(import.meta.dirname, 'empty-page'),
    base: '/dashboard/',
    publicDir: false,
    logLevel: 'warn',
    build: {
      outDir: folder,
      emptyOutDir: true,
      target: 'es2022',
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
    },
    plugins: [compressedCopies()],
  });
}
