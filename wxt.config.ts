import { defineConfig } from 'wxt';

export default defineConfig({
  srcDir: 'extension',
  publicDir: 'extension/public',
  // Not WXT's `.output`: file pickers hide dot folders from whoever loads the extension by hand.
  outDir: 'dist',
  modules: ['@wxt-dev/webextension-polyfill'],
  imports: false,
});
