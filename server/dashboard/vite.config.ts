import { join } from 'node:path';
import { defineConfig } from 'vite';
import { appManifest } from './build/app-manifest.ts';
import { compressedCopies } from './build/compressed-copies.ts';
import { usedMessages } from './build/used-messages.ts';

const PROJECT_FOLDER = join(import.meta.dirname, '../..');

/** What pages need, and the frame around them does not. */
const CONTROLS =
  'Announcement|ConfirmButton|Disclosure|DomainSelect|DraftNote|drafts|MenuButton|copy-text|is-composing|latin-key|restore-focus|save-file|SelectField|tell-if-slow|use-options';
const START = [
  'preload-helper|rolldown.runtime|/(preact|@preact)/',
  `shared/(i18n|ui/(?!${CONTROLS})[^/]+\\.tsx?$)`,
  'dashboard/(app/(?!path-name)|session|api/(api|request-ahead))',
];

/** Code that several pages share, in few files: requests take longer than some unused code. */
const CHUNKS = [
  { name: 'start', priority: 1, test: new RegExp(START.join('|')) },
  {
    name: 'controls',
    test: new RegExp(
      `shared/(ui/(${CONTROLS})|limits|links/(readable-url|shown-link|truncate|transfer-formats))\\.`,
    ),
  },
  { name: 'link-form', test: /shared\/(ui\/(link-form|qr)\/|links\/link-etag)/ },
];

/** Builds the dashboard into `dist/dashboard`, from where the server serves it at `/dashboard`. */
export default defineConfig({
  root: import.meta.dirname,
  base: '/dashboard/',
  publicDir: false,
  build: {
    outDir: join(PROJECT_FOLDER, 'dist/dashboard'),
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: { polyfill: false },
    // A data: URL would be inline code in a style sheet.
    assetsInlineLimit: 0,
    license: { fileName: 'THIRD_PARTY_NOTICES.txt' },
    rolldownOptions: {
      // The administrator's pages are a document of their own: nobody else loads anything of them.
      input: ['index.html', 'admin/index.html'].map((path) => join(import.meta.dirname, path)),
      output: {
        codeSplitting: { groups: CHUNKS },
        chunkFileNames: ({ facadeModuleId }) =>
          `assets/${facadeModuleId?.endsWith('?admin') ? 'admin-' : ''}[name]-[hash].js`,
      },
    },
  },
  json: { stringify: true },
  plugins: [usedMessages(), appManifest(), compressedCopies()],
  // For `npm run dev`: the API comes from the server beside it.
  server: {
    fs: { allow: [PROJECT_FOLDER] },
    proxy: { '/api': 'http://localhost:2878', '/favicon.svg': 'http://localhost:2878' },
  },
});
