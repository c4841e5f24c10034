import { browser } from 'wxt/browser';
import { setMessageSource } from '../../shared/i18n/translate.ts';

// Every entry point imports this file first.
setMessageSource((key, substitutions) =>
  // WXT's types do not know keys that a build hook generates.
  browser.i18n.getMessage(key as '@@ui_locale', substitutions),
);
