// The only code that copies text, for all pages: those of the extension, of the dashboard, and the home
// page, which loads this file as it is. Its types are in copy-text.d.ts.

export async function copyFromPage(text, focusTimeoutMs = 1_500) {
  if (typeof text !== 'string') return copyLater(text);
  if (!navigator.clipboard) return copySelected(text);
  try {
    await focusOf(window, focusTimeoutMs);
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** Asks the browser at once, while it still knows of the click, and hands it the text when it is there. */
async function copyLater(text) {
  try {
    const blob = text.then((ready) => new Blob([ready], { type: 'text/plain' }));
    // Handled where the text is awaited.
    blob.catch(() => {});
    await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })]);
    return true;
  } catch {
    const ready = await text.catch(() => undefined);
    return ready === undefined ? false : copyFromPage(ready);
  }
}

export function copySelected(text) {
  const before = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  // No keyboard of a phone opens, and the page does not scroll.
  field.readOnly = true;
  field.style.position = 'fixed';
  field.style.opacity = '0';
  // Outside of an open dialog, nothing can be selected. Safari doesn't focus a clicked button in it.
  const place = [...document.querySelectorAll('dialog:modal')].at(-1) ?? document.body;
  place.append(field);
  field.select();
  let isCopied = false;
  try {
    isCopied = document.execCommand('copy');
  } catch {
    // Not copied.
  }
  field.remove();
  before?.focus?.({ preventScroll: true });
  return isCopied;
}

function focusOf(page, timeoutMs) {
  if (page.document.hasFocus()) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, timeoutMs);
    page.addEventListener(
      'focus',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}
