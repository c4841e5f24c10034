/** Has the language that somebody has chosen, for the dashboard and the pages of the server alike. */
const NAME = 'curt-language';

/** Returns the chosen language in a `Cookie` header or `document.cookie`. */
export function chosenLanguage(cookies: string): string | undefined {
  const [, language] = /(?:^|;\s*)curt-language=([A-Za-z-]{2,35})(?:;|$)/.exec(cookies) ?? [];
  return language;
}

/** Sets the cookie for a year: as `Set-Cookie`, and as `document.cookie`. */
export function languageCookie(language: string): string {
  return `${NAME}=${language}; Path=/; Max-Age=31536000; SameSite=Lax`;
}

/** Returns what people call their language: `Français` for `fr`. */
export function languageName(tag: string): string {
  const name = new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag;
  const [first = ''] = name;
  return first.toLocaleUpperCase(tag) + name.slice(first.length);
}
