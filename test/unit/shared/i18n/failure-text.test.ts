import { afterEach, expect, test } from 'vitest';
import { failureSentences } from '../../../../shared/i18n/failure-text.ts';
import { fillIn } from '../../../../shared/i18n/fill-in.ts';
import { setMessageSource } from '../../../../shared/i18n/translate.ts';
import { readLocales } from '../../../../shared/locales/read-locales.ts';

const locales = readLocales();

function speak(language: string): void {
  setMessageSource((key, substitutions) => fillIn(locales[language]?.[key] ?? '', substitutions));
}

afterEach(() => setMessageSource(() => ''));

test.each([
  ['en', 'Title. waitTimer: Must be at most 30.'],
  ['de', 'Title. Der Server akzeptiert das nicht. Überprüfe deine Eingabe.'],
  ['ar', 'Title. لا يقبل الخادم ذلك. تحقّق مما أدخلته.'],
])(
  'in %s, one string has the server’s message only if its readers know English',
  (language, text) => {
    speak(language);
    const failure = { title: 'Title', text: 'waitTimer: Must be at most 30.', isEnglish: true };
    expect(failureSentences(failure)).toBe(text);
  },
);

test('a text of the catalogue is there in every language', () => {
  speak('de');
  expect(failureSentences({ title: 'Titel', text: 'Ein Satz.' })).toBe('Titel. Ein Satz.');
});
