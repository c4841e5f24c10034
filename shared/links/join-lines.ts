/**
 * Puts a text on one line, as a field for a URL has it. Joins the lines of a URL that was broken, as mail programs
 * do. Between others there is a space.
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
  return joined;
}

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
