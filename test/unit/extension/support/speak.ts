import { fakeBrowser } from 'wxt/testing/fake-browser';
import { fillIn } from '../../../../shared/i18n/fill-in.ts';
import { readLocales } from '../../../../shared/locales/read-locales.ts';

const locales = readLocales();

/** Makes the fake browser return the texts of a language. */
export function speak(language: string): void {
  const texts = locales[language];
  fakeBrowser.i18n.getMessage = (key: string, substitutions: string | (string | number)[] = []) => {
    return fillIn(texts?.[key] ?? '', [substitutions].flat().map(String));
  };
}
