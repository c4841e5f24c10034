import type { ComponentProps } from 'preact';

/**
 * Renders an `<input>` for a URL, as typed or pasted. It is the one for all URLs, so that each takes what people paste.
 * Other properties are those of the element.
 */
export function UrlInput({ onPaste, ...input }: ComponentProps<'input'>) {
  return (
    <input
      class="input"
      inputMode="url"
      dir="ltr"
      autocomplete="off"
      autocapitalize="off"
      spellcheck={false}
      {...input}
      onPaste={(event) => {
        onPaste?.(event);
        void pasteUrl(event);
      }}
    />
  );
}

const MAY_CHANGE = /[\r\n\u2028\u2029&]/;

/**
 * Pastes a URL on one line and without HTML: browsers make a space of a line break, which would become a part of it.
 * The home page does the same (`server/web/views/assets/home.js`).
 */
async function pasteUrl(event: ClipboardEvent): Promise<void> {
  const text = event.clipboardData?.getData('text/plain').trim() ?? '';
  if (!MAY_CHANGE.test(text)) return;
  event.preventDefault();
  // Few need it, and the first rows of a list don't wait for it.
  const line = await import('../links/join-lines.ts').then(
    ({ joinLines }) => joinLines(text),
    () => text,
  );
  // Unlike a change of the value, it can be undone, and is heard as input.
  document.execCommand('insertText', false, line);
}
