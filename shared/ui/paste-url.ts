import { joinLines } from '../links/join-lines.ts';

/**
 * Pastes lines of text as one: browsers make a space of a line break, which would become a part of the URL.
 * The home page does the same (`server/web/views/assets/home.js`).
 */
export function pasteUrl(event: ClipboardEvent): void {
  const text = event.clipboardData?.getData('text/plain').trim() ?? '';
  if (!/[\r\n\u2028\u2029]/.test(text)) return;
  event.preventDefault();
  // Unlike a change of the value, it can be undone, and is heard as input.
  document.execCommand('insertText', false, joinLines(text));
}
