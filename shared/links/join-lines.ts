/**
 * Puts a text on one line, as a field for a URL has it. Joins the lines of a URL that was broken, as mail programs
 * do. Between others there is a space. A URL that was copied out of HTML gets its ampersands back.
 *
 * The home page loads this file as a script, so it imports nothing and has no types of its own.
 */
export function joinLines(text = '') {
  let joined = '';
  let before = NOTHING;
  for (const line of text.split(/\r\n|[\r\n\u2028\u2029]/).map((each) => each.trim())) {
    if (line === '') {
      before = NOTHING;
      continue;
    }
    const isContinued = before.isUrl && continues(line, before);
    joined += joined === '' || isContinued ? line : ` ${line}`;
    const word = line.split(/\s+/).at(-1) ?? '';
    const length = word.length + (isContinued ? before.length : 0);
    before = { isUrl: isContinued || BEGINS_URL.test(word), length, end: line.slice(-1) };
  }
  return joined.includes('&') ? joined.replace(/\S+/g, readAmpersands) : joined;
}

/** In a URL with another ampersand, `&amp;` is what it says. */
function readAmpersands(word = '') {
  if (!HAS_URL.test(word) || WRITTEN_AMPERSAND.test(word)) return word;
  return word.replace(HTML_AMPERSANDS, '&');
}

const HAS_URL = /https?:\/\/|^[\w-]+\.[\w.-]+[/?]/i;
/** Also of HTML in HTML: `&amp;amp;`. */
const HTML_AMPERSANDS = /&(?:amp;|#0*38;|#x0*26;)(?:amp;|#0*38;|#x0*26;)*/gi;
const WRITTEN_AMPERSAND = /&(?!amp;|#0*38;|#x0*26;)/i;
const NOTHING = { isUrl: false, length: 0, end: '' };
/** A shorter one would not have been broken in the middle of a word. */
const BROKEN_MIN_CHARACTERS = 60;
const BEGINS_URL = /^[([{<"'“„«‹‘]{0,3}(https?:\/\/|www\.|[\w-]+\.[\w.-]+\/)/i;

/** Whether a line is the rest of a URL, rather than what somebody says about it. */
function continues(line = '', { length, end } = NOTHING) {
  if (/\s/.test(line) || /^\W{0,3}(https?:\/\/|www\.)/i.test(line)) return false;
  return (
    length >= BROKEN_MIN_CHARACTERS ||
    /[/?&=#%_+-]/.test(end) ||
    // A word with an end of a sentence is no part of a path.
    /[/?&=#%_\d-]|\w[.+~@]\w/.test(line)
  );
}
