/** Characters that control a terminal or reverse the direction of text. */
const CONTROLS = /[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu;

/** A line of text without the characters that control a terminal or reverse the direction of text. */
export function printable(line: string): string {
  return line.replace(CONTROLS, ' ');
}

/** The same JSON, with all such characters escaped. JSON itself requires that of some only. */
export function escapeControls(json: string): string {
  return json.replace(CONTROLS, (character) => {
    if (character === '\n') return character;
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
