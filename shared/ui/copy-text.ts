/**
 * Copies from an extension page. Browsers only let a focused page write to the clipboard, and a popup
 * gets the focus a moment after it has loaded.
 *
 * @param focusTimeoutMs in a tab, short: the user may go elsewhere and copy something else
 * @returns whether the text was copied
 */
export async function copyFromPage(text: string, focusTimeoutMs = 1_500): Promise<boolean> {
  try {
    await focusOf(window, focusTimeoutMs);
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

function focusOf(page: Window, timeoutMs: number): Promise<void> {
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
