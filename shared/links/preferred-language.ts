/** Browsers send few different values. Beyond it, those so far are forgotten. */
const MAX_REMEMBERED = 1000;
/** Longer ones are made up. */
const MAX_CHARACTERS = 256;

type Language = { tag: string; family: string };

const remembered = new Map<string, Language[]>();

/**
 * Of some languages, the one that a visitor prefers: the same one, or the first that differs in its region
 * only, which `zh-TW` and `zh-CN` do not, because their scripts differ. A wildcard says nothing.
 *
 * @param header the value of `Accept-Language`
 * @param named BCP 47 tags
 * @see RFC 9110, section 12.5.4
 */
export function preferredLanguage(
  header: string | undefined,
  named: readonly string[],
): string | undefined {
  if (header === undefined || header.length > MAX_CHARACTERS) return undefined;
  const candidates = languagesOf(named.join());
  for (const { tag, family } of languagesOf(header)) {
    const best =
      candidates.find((each) => each.tag === tag) ??
      candidates.find((each) => each.family === family);
    if (best) return best.tag;
  }
  return undefined;
}

/** The languages of a header, the preferred ones first. */
function languagesOf(header: string): Language[] {
  const known = remembered.get(header);
  if (known) return known;
  const languages = header
    .split(',')
    .map((part) => {
      const [range = '', ...parameters] = part.split(';').map((text) => text.trim());
      const quality = parameters.find((parameter) => /^q=/i.test(parameter))?.slice(2) ?? '1';
      return { language: toLanguage(range), quality: Number(quality) };
    })
    .filter(({ quality }) => quality > 0)
    .sort((one, other) => other.quality - one.quality)
    .flatMap(({ language }) => language ?? []);
  if (remembered.size >= MAX_REMEMBERED) remembered.clear();
  remembered.set(header, languages);
  return languages;
}

function toLanguage(range: string): Language | undefined {
  try {
    const locale = new Intl.Locale(range);
    const { language, script } = locale.maximize();
    return { tag: locale.toString(), family: `${language}-${script}` };
  } catch {
    // A wildcard, or no language tag at all.
    return undefined;
  }
}
