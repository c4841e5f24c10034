/** A character in UTF-8, percent-encoded. Controls are none, since a line break would begin another text. */
const PERCENT_ENCODED =
  /%[2-7][\da-f]|%[cd][\da-f]%[89ab][\da-f]|%e[\da-f](?:%[89ab][\da-f]){2}|%f[0-7](?:%[89ab][\da-f]){3}/gi;
/** At most as long as DNS allows, because decoding takes quadratic time. */
const ASCII_LABEL = /(?<![a-z\d-])xn--([a-z\d-]{1,59})(?![a-z\d-])/gi;

/**
 * Returns text as people read it, without percent-encoding, and with host names in Unicode: `xn--bcher-kva` is
 * `bücher`.
 */
export function decodeEncoded(text: string): string {
  // Faster than a pattern that looks for both: most texts have neither.
  const hasPercent = text.includes('%');
  if (!hasPercent && !text.includes('xn--') && !text.includes('XN--')) return text;
  const characters = hasPercent
    ? text.replace(PERCENT_ENCODED, (encoded) => decodePercent(encoded))
    : text;
  return characters.replace(ASCII_LABEL, (label, encoded) => decodeLabel(encoded) ?? label);
}

/** Decodes a percent-encoded text. @param otherwise what is returned if it is no UTF-8 */
export function decodePercent(text: string, otherwise = text): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return otherwise;
  }
}

const BASE = 36;
const T_MIN = 1;
const T_MAX = 26;
const SKEW = 38;
const DAMP = 700;
const FIRST_BIAS = 72;
const FIRST_CODE_POINT = 128;
const LAST_CODE_POINT = 0x10ffff;

/**
 * Punycode, which only Node.js can decode, not browsers. Undefined if it is none.
 *
 * Source: RFC 3492, section 6.2, with its names.
 */
function decodeLabel(encoded: string): string | undefined {
  const delimiter = encoded.lastIndexOf('-');
  const output = [...encoded.slice(0, Math.max(0, delimiter))];
  let codePoint = FIRST_CODE_POINT;
  let bias = FIRST_BIAS;
  let i = 0;
  let position = delimiter + 1;
  while (position < encoded.length) {
    const before = i;
    let weight = 1;
    for (let k = BASE; ; k += BASE) {
      const digit = digitOf(encoded.charAt(position++));
      if (digit === undefined) return undefined;
      i += digit * weight;
      const threshold = Math.min(T_MAX, Math.max(T_MIN, k - bias));
      if (digit < threshold) break;
      weight *= BASE - threshold;
    }
    const length = output.length + 1;
    bias = adapt(before === 0 ? (i - before) / DAMP : (i - before) / 2, length);
    codePoint += Math.floor(i / length);
    if (codePoint > LAST_CODE_POINT) return undefined;
    i %= length;
    output.splice(i, 0, String.fromCodePoint(codePoint));
    i++;
  }
  return output.join('');
}

/** `a` to `z`, then `0` to `9`. */
function digitOf(character: string): number | undefined {
  const value = Number.parseInt(character, BASE);
  if (Number.isNaN(value)) return undefined;
  return value < 10 ? value + 26 : value - 10;
}

function adapt(difference: number, length: number): number {
  let delta = Math.floor(difference);
  delta += Math.floor(delta / length);
  let k = 0;
  for (; delta > ((BASE - T_MIN) * T_MAX) / 2; k += BASE) {
    delta = Math.floor(delta / (BASE - T_MIN));
  }
  return k + Math.floor(((BASE - T_MIN + 1) * delta) / (delta + SKEW));
}
