import type { Page } from 'puppeteer-core';

/**
 * Clicks an element once it is enabled, in sight and not covered. Looking and clicking are one task of the
 * page. A click with the mouse takes several messages, and while these are on their way, what the page
 * loads can move the element away from the mouse.
 */
export async function click(page: Page, selector: string): Promise<void> {
  // The value isn't read, since the click may lead to another page.
  await page.locator(selector).map(clickInPage).waitHandle();
}

/** Runs in the page. @throws Error if the element can't be clicked yet; the locator tries again */
function clickInPage(found: Element): void {
  const element = found as HTMLElement;
  const isInSight = () => {
    const { left, top, width, height } = element.getClientRects()[0] ?? new DOMRect();
    const hit = document.elementFromPoint(left + width / 2, top + height / 2);
    return element.contains(hit);
  };
  if (!isInSight()) element.scrollIntoView({ block: 'center', behavior: 'instant' });
  if (!isInSight() || element.matches(':disabled')) throw new Error('It can’t be clicked.');
  // As the mouse does, unless the page keeps the focus where it is.
  const pressed = new MouseEvent('mousedown', { bubbles: true, cancelable: true });
  if (element.dispatchEvent(pressed)) element.focus({ preventScroll: true });
  element.click();
}
