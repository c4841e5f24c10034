const FOCUS_TIMEOUT_MS = 1500;

/**
 * Copies from a page of the extension. A popup gets the focus a moment after it has loaded, and no
 * browser lets a page without it write to the clipboard.
 *
 * @returns whether the text is there
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
