import { domainToUnicode } from 'node:url';

/** Scripts of names, and sets of those that one name mixes. */
const SCRIPTS = [
  ['Latin', 'Han', 'Hiragana', 'Katakana'],
  ['Latin', 'Han', 'Bopomofo'],
  ['Latin', 'Han', 'Hangul'],
  ...['Arabic', 'Armenian', 'Bengali', 'Cyrillic', 'Devanagari', 'Ethiopic', 'Georgian', 'Greek'],
  ...['Gujarati', 'Gurmukhi', 'Hebrew', 'Kannada', 'Khmer', 'Lao', 'Malayalam', 'Myanmar', 'Oriya'],
  ...['Sinhala', 'Tamil', 'Telugu', 'Thai'],
].map((scripts) => {
  const letters = [scripts].flat().map((script) => `\\p{Script_Extensions=${script}}`);
  return new RegExp(`^[\\d\\-${letters.join('')}]+$`, 'u');
});
/** Cyrillic and Greek letters that look like Latin ones: a name of nothing else could be another one. */
const LIKE_LATIN = /^[\d\-аԁеһіјӏорсԛѕуԝхαικνορτυ]+$/;

/**
 * A host as people read it: `bücher.example:8080`. A name whose parts mix scripts, or that could be read as
 * another one, stays in ASCII, as in the address bar of browsers.
 *
 * @param authority as `authorityOf` returns it
 */
export function displayHost(authority: string): string {
  if (!authority.includes('xn--')) return authority;
  const [, name = '', port = ''] = /^(.*?)(:\d+)?$/.exec(authority) ?? [];
  const labels = domainToUnicode(name).split('.');
  return labels.every(isReadable) ? labels.join('.') + port : authority;
}

function isReadable(label: string): boolean {
  if (/^[\w-]*$/.test(label)) return !label.startsWith('xn--');
  return !LIKE_LATIN.test(label) && SCRIPTS.some((script) => script.test(label));
}
