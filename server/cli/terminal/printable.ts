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

/** A file as a terminal may show it: its lines, each `printable`. */
export async function* printableFile(
  content: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const [decoder, encoder] = [new TextDecoder(), new TextEncoder()];
  for await (const part of content) {
    const lines = decoder.decode(part, { stream: true }).split('\n');
    yield encoder.encode(lines.map(printable).join('\n'));
  }
  yield encoder.encode(printable(decoder.decode()));
}
