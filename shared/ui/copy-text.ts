/** Generous, because the link is shown meanwhile. */
const FOCUS_TIMEOUT_MS = 10_000;

/**
 * Copies from an extension page. Browsers only let a focused page write to the clipboard, and a popup
 * gets the focus a moment after it has loaded.
 *
 * @returns whether the text was copied
 */
export async function copyFromPage(text: string): Promise<boolean> {
  try {
    await focusOf(window);
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

function focusOf(page: Window): Promise<void> {
  if (page.document.hasFocus()) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, FOCUS_TIMEOUT_MS);
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
