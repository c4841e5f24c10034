import { languageCookie, languageName } from '../../../shared/i18n/language-choice.ts';
import { shownLanguage, t } from '../../../shared/i18n/translate.ts';
import { Select } from '../../../shared/ui/Select.tsx';
import { LANGUAGE_TAGS } from './messages.ts';

/** Below every page. The choice holds for the server's other pages, too. */
export function LanguageChoice() {
  return (
    <footer class="language-choice">
      <label for="language">{t('visit_language')}</label>
      <Select
        id="language"
        options={LANGUAGE_TAGS.map((value) => ({ value, label: languageName(value) }))}
        value={shownLanguage()}
        onChoose={choose}
      />
    </footer>
  );
}

/** Texts are loaded once: the page starts again. What is half-written stays, as with any reload. */
function choose(language: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: browsers have the Cookie Store API in secure pages only
  document.cookie = languageCookie(language);
  const url = new URL(location.href);
  url.searchParams.delete('lang');
  if (url.href === location.href) location.reload();
  else location.replace(url);
}
