/**
 * Copies from a page. Browsers only let a focused page write to the clipboard, and a popup gets the focus
 * a moment after it has loaded. Plain HTTP has no clipboard: there, a selection is copied.
 *
 * @param text one that is still on its way must be handed over at the click, since browsers forget a click
 * after some seconds. If it is rejected, nothing is copied.
 * @param focusTimeoutMs in a tab, short: the user may go elsewhere and copy something else
 * @returns whether the text was copied
 */
export function copyFromPage(
  text: string | Promise<string>,
  focusTimeoutMs?: number,
): Promise<boolean>;

/** Copies as before there was a clipboard API. @returns whether the text was copied */
export function copySelected(text: string): boolean;
