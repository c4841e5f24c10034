import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fakeBrowser } from 'wxt/testing/fake-browser';

const LOCALES = join(import.meta.dirname, '../../../../extension/public/_locales');

/** Lets the in-memory browser answer with the texts of a locale, as a real one does. */
export function speak(locale: string): void {
  const messages = JSON.parse(readFileSync(join(LOCALES, locale, 'messages.json'), 'utf8'));
  fakeBrowser.i18n.getMessage = (key: string, substitutions: string | (string | number)[] = []) => {
    const { message = '', placeholders = {} } = messages[key] ?? {};
    return message.replace(/\$(\w+)\$/g, (_: string, name: string) => {
      const place = Number(placeholders[name.toLowerCase()].content.slice(1));
      return String([substitutions].flat()[place - 1] ?? '');
    });
  };
}
