/**
 * Returns the tag by which dates and numbers are formatted: the first of the preferred languages that is the shown
 * one, with its region, such as `en-GB`. If none is, the shown language in the region of the first: `en-SE` for
 * somebody who reads Swedish, which Curt doesn't have.
 *
 * @param preferred tags as browsers send them; faulty ones are ignored, such as `en-US@posix` of Chromium on Linux
 */
export function regionalTag(language: string, preferred: readonly string[]): string {
  const shown = parse(language)[0]?.language;
  const same = preferred.flatMap(parse).find((locale) => locale.language === shown);
  return tagOf(language, same ? same.region : preferredRegion(preferred));
}

/** Returns the country of the first of the preferred languages that is a tag, such as `US` for `en`. */
export function preferredRegion(preferred: readonly string[]): string | undefined {
  return preferred.flatMap(parse)[0]?.maximize().region;
}

/** Without scripts and extensions, such as a calendar, which texts don't fit. Texts have Latin digits in all languages. */
function tagOf(language: string, region: string | undefined): string {
  if (region === undefined) return language;
  const tag = new Intl.Locale(language, { region }).toString();
  const { numberingSystem } = new Intl.NumberFormat(tag).resolvedOptions();
  return numberingSystem === 'latn' ? tag : `${tag}-u-nu-latn`;
}

function parse(tag: string): Intl.Locale[] {
  try {
    return [new Intl.Locale(tag)];
  } catch {
    return [];
  }
}
