import type { Page } from 'puppeteer-core';

export type Stop = { name: string; faults: string[] };

/** More than any page has. */
const PRESSES_MAX = 100;

/** Presses Tab until the focus has that name. */
export async function tabTo(page: Page, name: string): Promise<void> {
  const passed: string[] = [];
  for (let presses = 0; presses < PRESSES_MAX; presses += 1) {
    await page.keyboard.press('Tab');
    passed.push(await nameOfFocused(page));
    if (passed.at(-1) === name) return;
  }
  throw new Error(`Tab does not lead to "${name}", but to ${[...new Set(passed)].join(', ')}.`);
}

/** As assistive technology would say it. */
export function nameOfFocused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const focused = document.activeElement as HTMLInputElement;
    return (focused.ariaLabel ?? (focused.labels?.[0] ?? focused).textContent ?? '').trim();
  });
}

/**
 * Walks through a page by Tab, once around. A line for all that is wrong: controls that
 * are not reached, places where the focus does not show or is covered, and steps against the order
 * in which things are seen.
 */
export async function findWalkFaults(page: Page): Promise<string[]> {
  // Where the page itself puts the focus after a change, it has done so by then.
  await page.evaluate(twoFrames);
  const controls = await page.evaluate(startWalk);
  const faults: string[] = [];
  for (let presses = 0; presses < PRESSES_MAX; presses += 1) {
    await page.keyboard.press('Tab');
    const found = await page.evaluate(lookAtFocus);
    if (!found) break;
    faults.push(...found);
  }
  const reached = await page.evaluate(() => (globalThis as unknown as Walk).reached.size);
  if (reached < controls) faults.push(`${controls - reached} of ${controls} are not reached`);
  return faults;
}

/** Runs in the page. */
async function twoFrames(): Promise<void> {
  await new Promise(requestAnimationFrame);
  await new Promise(requestAnimationFrame);
}

/** What a walk remembers in the page. */
type Walk = { reached: Set<Element>; last: Element | undefined };

/** Runs in the page. @returns how many stops there are */
function startWalk(): number {
  (document.activeElement as HTMLElement | null)?.blur();
  Object.assign(globalThis, { reached: new Set(), last: undefined } satisfies Walk);
  const within = document.querySelector('dialog[open]') ?? document;
  return [...within.querySelectorAll<HTMLElement>('a, button, input, select, textarea, summary')]
    .filter((one) => one.checkVisibility() && !one.matches(':disabled'))
    .filter((one) => !one.matches('[type=radio]:not(:checked)')).length;
}

/** Runs in the page. @returns nothing once the walk is where it began */
function lookAtFocus(): string[] | undefined {
  const walk = globalThis as unknown as Walk;
  const focused = document.activeElement as HTMLElement | null;
  if (!focused || focused === document.body) {
    // Between the end and the start.
    walk.last = undefined;
    return [];
  }
  // A field for dates has several stops of its own.
  if (focused === walk.last) return [];
  if (walk.reached.has(focused)) return undefined;
  walk.reached.add(focused);

  const faults: string[] = [];
  const name = focused.ariaLabel ?? focused.textContent ?? focused.id;
  const shown = focused.closest<HTMLElement>('.file-button') ?? focused;
  const style = getComputedStyle(shown);
  const hasRing = style.outlineStyle !== 'none' && Number.parseFloat(style.outlineWidth) >= 2;
  if (!hasRing) faults.push(`The focus does not show on "${name}"`);

  const { left, top, width, height } = shown.getBoundingClientRect();
  const covering = document.elementFromPoint(left + width / 2, top + height / 2);
  if (!covering || !(shown.contains(covering) || covering.contains(shown))) {
    faults.push(`"${name}" is out of sight or covered by ${covering?.className}`);
  }

  const last = walk.last;
  walk.last = focused;
  const isLoose = (one: Element) => one.closest('.form-end, .removed, .search');
  if (last?.isConnected && !isLoose(last) && !isLoose(focused)) {
    const before = (last.closest('.file-button') ?? last).getBoundingClientRect();
    const isRtl = document.dir === 'rtl';
    const isBeside = isRtl ? left < before.left : left > before.left;
    const isBelow = top >= before.bottom - 4;
    const isAbove = top + height <= before.top + 4;
    if (isAbove || !(isBelow || isBeside)) {
      faults.push(`"${name}" comes after "${last.textContent}", but stands before it`);
    }
  }
  return faults;
}
