import type { Page } from 'puppeteer-core';

/** See https://www.w3.org/TR/WCAG22/#text-spacing. */
const TEXT_SPACING = `
  * { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }
  p { margin-block-end: 2em !important; }`;

/** Content that doesn't fit, with normal and with wide text spacing, a line each. */
export async function findLayoutFaults(page: Page): Promise<string[]> {
  const faults = await page.evaluate(findCutOff);
  await page.evaluate((css) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    document.adoptedStyleSheets = [sheet];
  }, TEXT_SPACING);
  const spaced = await page.evaluate(findCutOff);
  await page.evaluate(() => {
    document.adoptedStyleSheets = [];
  });
  return [...faults, ...spaced.map((fault) => `With wide text: ${fault}`)];
}

/**
 * Runs in the page. Finds horizontal scrolling, also of dialogs, and text that is clipped or overflows its control. Text
 * with an ellipsis is fine if its title has the full text.
 */
function findCutOff(): string[] {
  const faults: string[] = [];
  const root = document.documentElement;
  if (root.scrollWidth > root.clientWidth) {
    faults.push(`The page is ${root.scrollWidth} px wide, its window ${root.clientWidth} px`);
  }
  for (const { scrollWidth, clientWidth } of document.querySelectorAll('dialog[open]')) {
    if (scrollWidth > clientWidth) {
      faults.push(`The dialog's content is ${scrollWidth} px wide, the dialog ${clientWidth} px`);
    }
  }
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const parent = text.parentElement;
    if (!parent || !text.nodeValue?.trim() || parent.closest('.visually-hidden, option, svg'))
      continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    const box = range.getBoundingClientRect();
    if (box.width === 0) continue;
    for (let place: Element | null = parent; place && place !== root; place = place.parentElement) {
      const style = getComputedStyle(place);
      const scrolls = /auto|scroll/.test(style.overflowX + style.overflowY);
      const holds = place.matches('button, .button, .input, kbd, output, [role=alert], dialog');
      const clips = /hidden|clip/.test(style.overflowX + style.overflowY);
      if (scrolls) break;
      if (!holds && !clips) continue;
      const around = place.getBoundingClientRect();
      const isWithin =
        box.left >= around.left - 1 &&
        box.right <= around.right + 1 &&
        box.top >= around.top - 2 &&
        box.bottom <= around.bottom + 2;
      const isElided = clips && style.textOverflow === 'ellipsis';
      if (isWithin || (isElided && place.closest('[title], [aria-hidden=true]'))) continue;
      const words = text.nodeValue.trim().slice(0, 40);
      faults.push(`"${words}" does not fit <${place.tagName.toLowerCase()} ${place.className}>`);
      break;
    }
  }
  return faults;
}
