import { join } from 'node:path';
import { defineConfig } from 'vite';
import { stripSchemas } from '../../shared/build/strip-schemas.ts';
import { appManifest } from './build/app-manifest.ts';
import { compressedCopies } from './build/compressed-copies.ts';
import { usedMessages } from './build/used-messages.ts';

const PROJECT_FOLDER = join(import.meta.dirname, '../..');

/** What the list shows first, and other pages have, too. */
const LIST_CONTROLS = 'Announcement|Form|MenuButton|UrlInput|copy-text';
/** What pages need, and neither the frame around them nor the first content of the list does. */
const CONTROLS =
  'CleanedNote|DomainSelect|clean-url|Menu|tell-if-slow|use-options|ConfirmDialog|Disclosure|drafts|save-file|Field|ShareButton';
/** What is loaded for the frame around all pages. */
const START = [
  'preload-helper|rolldown.runtime|/(preact|@preact)/',
  `shared/(i18n/(?!failure-text|format-bytes|format-list|format-wait)|ui/(?!${LIST_CONTROLS}|${CONTROLS}|keep-translated)[^/]+\\.tsx?$)`,
  'dashboard/(app/(?!path-name|SignOutDialog)|session/(?!SignIn|sign-in-state|learn-account|hand-over)|api/api)',
];
/** The first content of the list, and what it imports. */
const LIST = ['dashboard/links/LinksPage', `shared/ui/(${LIST_CONTROLS})\\.`];
/** What the list loads after its first content. */
const LIST_TOOLS =
  'http-link-changes|shared/(links/copy-format|ui/links/(ListTools|Filters|TagFilter|KeySheet|EmptyList|bulk-call|list-keys|keep-address|state/change|state/follow-list|state/new-link|state/undo))';

/** Code that several pages share, in few files: requests take longer than some unused code. */
const CHUNKS = [
  { name: 'start', priority: 4, test: new RegExp(START.join('|')) },
  { name: 'list', priority: 3, test: new RegExp(LIST.join('|')) },
  {
    name: 'controls',
    priority: 2,
    test: new RegExp(
      `shared/(text|i18n/format-list|ui/(${CONTROLS})|links/(truncate|transfer-formats|join-lines))\\.`,
    ),
  },
  {
    name: 'client',
    priority: 2,
    test: /api\/load-client|hand-over|shared\/i18n\/(failure-text|format-wait)|link-failure-text/,
  },
  {
    name: 'link-form',
    priority: 1,
    test: /shared\/(ui\/(link-form|qr)\/|links\/link-etag)|learn-account/,
  },
  {
    name: 'rules',
    priority: 1,
    test: /shared\/(ui\/rules\/format-rule|ui\/statistics\/value-names|links\/choose-target)/,
  },
  { name: 'list-tools', test: new RegExp(LIST_TOOLS) },
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
      optimization: { inlineConst: { mode: 'all', pass: 2 } },
      output: {
        codeSplitting: { groups: CHUNKS },
        chunkFileNames: ({ facadeModuleId }) =>
          `assets/${/\?(admin|more)$/.exec(facadeModuleId ?? '')?.[1]?.concat('-') ?? ''}[name]-[hash:7].js`,
      },
    },
  },
  json: { stringify: true },
  plugins: [stripSchemas(), usedMessages(), appManifest(), compressedCopies()],
  // For `npm run dev`: the API comes from the server beside it.
  server: {
    fs: { allow: [PROJECT_FOLDER] },
    proxy: { '/api': 'http://localhost:2878', '/favicon.svg': 'http://localhost:2878' },
  },
});
