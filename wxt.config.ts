import { type InlineConfig, mergeConfig, type Plugin } from 'vite';
import { defineConfig } from 'wxt';
import { parseServerAddress } from './extension/address/server-origin.ts';
import { readLocales } from './extension/locales/read-locales.ts';

/** Tells this extension from others; Firefox needs it to keep storage across updates. */
const GECKO_ID = 'curt@curt.example';
/** The first that asks for consent by `data_collection_permissions` on all systems. */
const FIREFOX_MIN_VERSION = '142.0';
/** The first in which any extension may open its own popup. */
const CHROME_MIN_VERSION = '127';

/** What makes the pages light; a test weighs the popup. */
const LIGHT_PAGES: InlineConfig = {
  build: {
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          // Compressed together, what all pages share is a kilobyte less.
          groups: [
            {
              name: 'pages',
              priority: 1,
              test: /preload-helper|wxt-html-plugins|rolldown.runtime|\/(preact|@preact|webextension-polyfill)\/|extension\/(ui\/(Field|Icon|lazy|copy-text)|links\/copy-format|i18n\/translate|messaging\/protocol)\.tsx?$/,
            },
            // What every popup loads after its first paint comes in one chunk.
            { name: 'result', test: /popup\/(result\/Result|state\/queued-requests)\.tsx?$/ },
          ],
        },
      },
    },
  },
};

const ZOD_COMPILED_OBJECT = 'core.$ZodObjectJIT';

/**
 * zod compiles object schemas with `new Function`. The content security policy of extension pages
 * forbids that, and stores warn of code that tries it. `zod/mini` never does: with its object parser
 * in place of the compiling one, the bundler leaves the compiler out.
 */
const ZOD_WITHOUT_EVAL: Plugin = {
  name: 'zod-without-eval',
  transform: {
    filter: { id: /\/zod\/v4\/classic\/schemas\.js$/ },
    handler(code) {
      if (code.includes(ZOD_COMPILED_OBJECT))
        return { code: code.replaceAll(ZOD_COMPILED_OBJECT, 'core.$ZodObject'), map: null };
      throw new Error(`zod no longer has ${ZOD_COMPILED_OBJECT}: see whether it still uses eval.`);
    },
  },
};

/** `light` is for toolbars with light text: the dark ones. */
const THEME_ICONS = [16, 32, 64].map((size) => ({
  dark: `/icon/${size}.png`,
  light: `/icon/dark-${size}.png`,
  size,
}));

export default defineConfig({
  srcDir: 'extension',
  publicDir: 'extension/public',
  // Not WXT's `.output`: file pickers hide dot folders from whoever loads the extension by hand.
  outDir: 'dist',
  modules: ['@wxt-dev/webextension-polyfill'],
  imports: false,
  manifestVersion: 3,
  manifest: ({ browser }) => ({
    name: '__MSG_extension_name__',
    description: '__MSG_extension_description__',
    default_locale: 'en',
    // No host permission: the server lets extensions in by CORS.
    permissions: [
      'activeTab',
      'contextMenus',
      'storage',
      'clipboardWrite',
      'notifications',
      // With activeTab: asks the page that was clicked for its own address, where the user wants that.
      'scripting',
      // When to try again what a server could not do.
      'alarms',
      ...(browser === 'firefox' ? [] : ['offscreen']),
    ],
    // One background for all windows; it keeps what comes from private ones off the disk itself.
    ...(browser === 'firefox' ? {} : { incognito: 'spanning' as const }),
    // Chromium has no icons by theme; the usual one carries its own ground.
    action: browser === 'firefox' ? { theme_icons: THEME_ICONS } : {},
    omnibox: { keyword: 'curt' },
    commands: {
      _execute_action: {
        suggested_key: { default: 'Alt+Shift+U' },
        description: '__MSG_command_popup__',
      },
      'shorten-at-once': {
        suggested_key: { default: 'Alt+Shift+Y' },
        description: '__MSG_command_at_once__',
      },
      'shorten-with-options': {
        suggested_key: { default: 'Alt+Shift+O' },
        description: '__MSG_command_with_options__',
      },
    },
    content_security_policy: {
      // Firefox's own default upgrades http: to https:, and a server at home has no certificate.
      extension_pages: "script-src 'self'; object-src 'self'",
    },
    ...(browser === 'firefox'
      ? {
          browser_specific_settings: {
            gecko: {
              id: GECKO_ID,
              strict_min_version: FIREFOX_MIN_VERSION,
              // To the chosen server go the address asked for, a title, a link's password, the token.
              data_collection_permissions: {
                required: ['browsingActivity', 'websiteContent', 'authenticationInfo'],
              },
            },
          },
        }
      : { minimum_chrome_version: CHROME_MIN_VERSION }),
  }),
  hooks: {
    'build:before'() {
      const address = process.env.WXT_CURT_SERVER;
      if (!address || parseServerAddress(address).ok) return;
      throw new Error(
        `WXT_CURT_SERVER is "${address}", which is no web address. Write it as https://s.example.com.`,
      );
    },
    'build:publicAssets'(_wxt, files) {
      for (const [language, messages] of Object.entries(readLocales())) {
        files.push({
          relativeDest: `_locales/${language}/messages.json`,
          contents: JSON.stringify(messages),
        });
      }
    },
    'vite:build:extendConfig'(entrypoints, config) {
      if (entrypoints.some(({ type }) => type === 'popup'))
        Object.assign(config, mergeConfig(config, LIGHT_PAGES));
    },
    'build:manifestGenerated'(_wxt, manifest) {
      // WXT takes it from popup.html's <title>, which cannot be translated.
      if (manifest.action) manifest.action.default_title = '__MSG_action_title__';
    },
  },
  // Vite would look for pages in `dist` as well, where they vanish with each build.
  vite: () => ({
    optimizeDeps: { entries: ['extension/entrypoints/*/index.html'] },
    plugins: [ZOD_WITHOUT_EVAL],
  }),
});
