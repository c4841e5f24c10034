import { fakeBrowser } from 'wxt/testing/fake-browser';
import { readLocales } from '../../../../shared/locales/read-locales.ts';

const locales = readLocales();

/** Makes the fake browser return the texts of a language. */
export function speak(language: string): void {
  const messages = locales[language];
  fakeBrowser.i18n.getMessage = (key: string, substitutions: string | (string | number)[] = []) => {
    const { message = '', placeholders = {} } = messages?.[key] ?? {};
    return message.replace(/\$(\w+)\$/g, (_: string, name: string) => {
      const place = Number(placeholders[name.toLowerCase()]?.content.slice(1));
      return String([substitutions].flat()[place - 1] ?? '');
    });
  };
}
