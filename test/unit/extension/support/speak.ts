import { fakeBrowser } from 'wxt/testing/fake-browser';
import { formatMessage } from '../../../../shared/i18n/format-message.ts';
import { readLocales } from '../../../../shared/locales/read-locales.ts';

const locales = readLocales();

/** Makes the fake browser return the texts of a language. */
export function speak(language: string): void {
  const messages = locales[language];
  fakeBrowser.i18n.getMessage = (key: string, substitutions: string | (string | number)[] = []) => {
    return formatMessage(messages?.[key] ?? { message: '' }, [substitutions].flat().map(String));
  };
}
