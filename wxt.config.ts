import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type InlineConfig, mergeConfig, type Plugin } from 'vite';
import { defineConfig } from 'wxt';
import { toManagedSchema } from './extension/messaging/settings-schema.ts';
import { licensePart, writeThirdPartyNotices } from './extension/packaging/third-party-notices.ts';
import { parseServerAddress } from './extension/urls/server-origin.ts';
import { stripSchemas } from './shared/build/strip-schemas.ts';
import { ADMIN_KEY_PREFIX, readLocales, VISIT_KEY_PREFIX } from './shared/locales/read-locales.ts';

/** The extension's id. Firefox needs it to keep storage across updates. */
const GECKO_ID = 'curt@curt.example';
/** The first version with `data_collection_permissions` on all systems. */
const FIREFOX_MIN_VERSION = '142.0';
/** The first version in which every extension can open its popup. */
const CHROME_MIN_VERSION = '127';

/** What an organization can fix by policy, for Chromium. */
const MANAGED_SCHEMA = 'managed_schema.json';

/** What the popup runs first: it asks the background. */
const START = [
  'preload-helper|wxt-html-plugins|rolldown.runtime|/webextension-polyfill/',
  'shared/(i18n/(translate|regional-tag)|time)\\.ts',
  'extension/(i18n/browser-messages|messaging/send|urls/(extension-pages|tab-title)|pages/popup/tab-page)\\.ts',
];
/** What it needs to show a link, of what other pages have, too. */
const PAGES = [
  '/(preact|@preact)/',
  'shared/i18n/(english|failure-text|format-list|format-time|format-wait|plural)\\.ts',
  'shared/links/(copy-format|link-address|link-etag)\\.ts',
  'shared/ui/(DomainSelect|FailureNote|Field|Form|Icon|Select|ShareButton|UrlInput|copy-text|keep-translated-texts|keys|lazy|restore-focus|show-direction-marks)\\.(js|tsx?)',
  'shared/ui/(link-form/form-issues|statistics/state/ranges)\\.ts',
  'extension/(i18n/secrets-text|urls/server-origin)\\.ts',
];

/** Code in few files: requests take longer than some unused code. A test measures the popup. */
const LIGHT_PAGES: InlineConfig = {
  build: {
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'start', priority: 3, test: new RegExp(START.join('|')) },
            { name: 'pages', priority: 2, test: new RegExp(PAGES.join('|')) },
            // What forms share: the popup names each chunk that it may load.
            {
              name: 'link-form',
              priority: 1,
              test: /shared\/(ui\/link-form\/[a-z-]+|bounds|links\/truncate)\.ts$/,
            },
          ],
        },
      },
    },
  },
};

/** What imports the popup's code. */
const POPUP_LOADER = 'load-popup.js';

/**
 * A style sheet of its own is another request before the first paint, and Chromium looks for messages in it. It shows
 * a popup at its `load` event, which waits for the scripts of the page, but not for what these import.
 */
function popupPaintsFirst(): Plugin {
  let main: string | undefined;
  return {
    name: 'popup-paints-first',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { filename, bundle = {} }) {
        if (!filename.endsWith('/popup/index.html')) return html;
        return html
          .replace(/<link rel="stylesheet"[^>]*href="\/([^"]+)">/, (_, name) => {
            const style = bundle[name];
            delete bundle[name];
            return style?.type === 'asset' ? `<style>${style.source}</style>` : '';
          })
          .replace(/<link rel="modulepreload"[^>]*>\s*/g, '')
          .replace(/<script type="module"[^>]*src="([^"]+)"><\/script>/, (_, path) => {
            main = path;
            return `<script defer src="/${POPUP_LOADER}"></script>`;
          });
      },
    },
    async writeBundle({ dir = '' }) {
      if (main) await writeFile(join(dir, POPUP_LOADER), `import('${main}');\n`);
    },
  };
}

const ZOD_COMPILED_OBJECT = 'core.$ZodObjectJIT';

/**
 * zod compiles object schemas with `new Function`. The content security policy of extension pages
 * forbids that, and stores warn about it. With the object parser of `zod/mini` instead, the bundler
 * removes the compiler.
 */
const ZOD_WITHOUT_EVAL: Plugin = {
  name: 'zod-without-eval',
  transform: {
    filter: { id: /\/zod\/v4\/classic\/schemas\.js$/ },
    handler(code) {
      if (code.includes(ZOD_COMPILED_OBJECT))
        return { code: code.replaceAll(ZOD_COMPILED_OBJECT, 'core.$ZodObject'), map: null };
      throw new Error(
        `zod no longer has ${ZOD_COMPILED_OBJECT}: check whether it still uses eval.`,
      );
    },
  },
};

/** `light` is for toolbars with light text, which are dark. */
const THEME_ICONS = [16, 32, 64].map((size) => ({
  dark: `/icon/${size}.png`,
  light: `/icon/dark-${size}.png`,
  size,
}));

/** On a Mac, Option and Shift type letters, such as Ó on a Polish keyboard, which a shortcut would swallow in every page. */
const keysWith = (letter: string) => ({
  default: `Alt+Shift+${letter}`,
  mac: `MacCtrl+Shift+${letter}`,
});

export default defineConfig({
  srcDir: 'extension',
  publicDir: 'extension/public',
  // Not WXT's `.output`: file pickers hide folders that start with a dot.
  outDir: 'dist',
  modules: ['@wxt-dev/webextension-polyfill'],
  imports: false,
  manifestVersion: 3,
  manifest: ({ browser }) => ({
    name: '__MSG_extension_name__',
    description: '__MSG_extension_description__',
    default_locale: 'en',
    // No host permission: the server allows extensions by CORS.
    permissions: [
      'activeTab',
      'contextMenus',
      'storage',
      // Nothing is lost when the list grows. Firefox also keeps the data when the disk is nearly full.
      'unlimitedStorage',
      'clipboardWrite',
      'notifications',
      // With activeTab: reads the canonical URL of the page, if the user enables that.
      'scripting',
      // Retries queued requests.
      'alarms',
      ...(browser === 'firefox' ? [] : ['offscreen']),
    ],
    // One background for all windows. It never writes data of private windows to disk.
    ...(browser === 'firefox' ? {} : { incognito: 'spanning' as const }),
    // Chromium has no theme icons. The default icon has its own background.
    action: browser === 'firefox' ? { theme_icons: THEME_ICONS } : {},
    omnibox: { keyword: 'curt' },
    commands: {
      _execute_action: {
        suggested_key: keysWith('U'),
        description: '__MSG_command_popup__',
      },
      'shorten-at-once': {
        suggested_key: keysWith('Y'),
        description: '__MSG_command_at_once__',
      },
      'shorten-with-options': {
        suggested_key: keysWith('O'),
        description: '__MSG_command_with_options__',
      },
    },
    content_security_policy: {
      // Firefox's default policy upgrades http: to https:, but a local server has no certificate.
      extension_pages: "script-src 'self'; object-src 'self'",
    },
    ...(browser === 'firefox'
      ? {
          browser_specific_settings: {
            gecko: {
              id: GECKO_ID,
              strict_min_version: FIREFOX_MIN_VERSION,
              // Sent to the chosen server: the URL, a title, the link's password and the token.
              data_collection_permissions: {
                required: ['browsingActivity', 'websiteContent', 'authenticationInfo'],
              },
            },
            gecko_android: { strict_min_version: FIREFOX_MIN_VERSION },
          },
        }
      : {
          minimum_chrome_version: CHROME_MIN_VERSION,
          // Firefox needs no schema, and addons.mozilla.org doesn't know this key.
          storage: { managed_schema: MANAGED_SCHEMA },
        }),
  }),
  hooks: {
    'build:before'() {
      const address = process.env.WXT_CURT_SERVER;
      if (!address || parseServerAddress(address).ok) return;
      throw new Error(
        `WXT_CURT_SERVER is "${address}", which is not a web address. Use the form https://s.example.com.`,
      );
    },
    'build:publicAssets'({ config }, files) {
      if (config.browser !== 'firefox') {
        const contents = JSON.stringify(toManagedSchema(), null, 2);
        files.push({ relativeDest: MANAGED_SCHEMA, contents });
      }
      for (const [language, texts] of Object.entries(readLocales())) {
        const shown = Object.entries(texts).filter(
          ([key]) => !key.startsWith(VISIT_KEY_PREFIX) && !key.startsWith(ADMIN_KEY_PREFIX),
        );
        const messages = Object.fromEntries(shown.map(([key, message]) => [key, { message }]));
        files.push({
          relativeDest: `_locales/${language}/messages.json`,
          contents: JSON.stringify(messages),
        });
      }
    },
    'vite:build:extendConfig'(entrypoints, config) {
      const build = entrypoints.map(({ name }) => name).join('-');
      Object.assign(
        config,
        mergeConfig(config, { build: { license: { fileName: licensePart(build) } } }),
      );
      if (entrypoints.some(({ type }) => type === 'popup'))
        Object.assign(config, mergeConfig(config, LIGHT_PAGES));
    },
    async 'build:done'({ config }) {
      await writeThirdPartyNotices(config.outDir);
    },
    'build:manifestGenerated'(_wxt, manifest) {
      // WXT takes it from the <title> of popup.html, which cannot be translated.
      if (manifest.action) manifest.action.default_title = '__MSG_action_title__';
    },
  },
  // Vite would also scan the pages in `dist`, which each build deletes.
  vite: () => ({
    optimizeDeps: { entries: ['extension/entrypoints/*/index.html'] },
    plugins: [ZOD_WITHOUT_EVAL, popupPaintsFirst(), stripSchemas()],
  }),
});
