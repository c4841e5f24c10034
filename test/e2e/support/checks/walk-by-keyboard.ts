import type { Page } from 'puppeteer-core';

export type Stop = { name: string; faults: string[] };

/** More than any page has. */
const PRESSES_MAX = 100;

/** Presses Tab until the control with that name has the focus. */
export async function tabTo(page: Page, name: string): Promise<void> {
  const passed: string[] = [];
  for (let presses = 0; presses < PRESSES_MAX; presses += 1) {
    await page.keyboard.press('Tab');
    passed.push(await nameOfFocused(page));
    if (passed.at(-1) === name) return;
  }
  throw new Error(`Tab does not lead to "${name}", but to ${[...new Set(passed)].join(', ')}.`);
}

/** The accessible name. */
export function nameOfFocused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const focused = document.activeElement as HTMLInputElement;
    return (focused.ariaLabel ?? (focused.labels?.[0] ?? focused).textContent ?? '').trim();
  });
}

/**
 * Walks through the whole page with Tab. Returns a line for each fault: controls that can't be reached,
 * focus that isn't visible or is covered, and steps against the visual order.
 */
export async function findWalkFaults(page: Page): Promise<string[]> {
  // By then the page has moved the focus after a change, if it does.
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

/**
 * The controls that the last walk reached and that don't show the focus in the page's current colors, a
 * line each: the walk itself is the same in any colors.
 */
export function findHiddenFocus(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { reached, findRingFault } = globalThis as unknown as Walk;
    return [...reached].flatMap((control) => {
      // By the keyboard, since that is what moved the focus before.
      control.focus();
      return findRingFault(control);
    });
  });
}

/** Runs in the page. */
async function twoFrames(): Promise<void> {
  await new Promise(requestAnimationFrame);
  await new Promise(requestAnimationFrame);
}

/** The state of a walk, kept in the page. */
type Walk = {
  reached: Set<HTMLElement>;
  last: Element | undefined;
  /** Whether the control has the focus and shows it. @returns no line, or one */
  findRingFault: (control: HTMLElement) => string[];
};

/** Runs in the page. @returns the number of tab stops */
function startWalk(): number {
  (document.activeElement as HTMLElement | null)?.blur();
  const findRingFault = (control: HTMLElement) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(control);
    const hasRing = outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2;
    if (document.activeElement === control && hasRing) return [];
    const name = control.ariaLabel ?? control.textContent ?? control.id;
    const isVisible = control.matches(':focus-visible');
    return [`The focus does not show on "${name}" (:focus-visible is ${isVisible})`];
  };
  Object.assign(globalThis, { reached: new Set(), last: undefined, findRingFault } satisfies Walk);
  const within = document.querySelector('dialog[open]') ?? document;
  return [...within.querySelectorAll<HTMLElement>('a, button, input, select, textarea, summary')]
    .filter((one) => one.checkVisibility() && !one.matches(':disabled'))
    .filter((one) => !one.matches('[type=radio]:not(:checked)')).length;
}

/** Runs in the page. @returns undefined once the walk is back at its start */
async function lookAtFocus(): Promise<string[] | undefined> {
  const walk = globalThis as unknown as Walk;
  const focused = document.activeElement as HTMLElement | null;
  if (!focused || focused === document.body) {
    // The focus is in the browser's own controls.
    walk.last = undefined;
    return [];
  }
  // After the browser's own controls, it is a moment until the window is active and shows the focus.
  while (!document.hasFocus()) await new Promise(requestAnimationFrame);
  // A date field has several tab stops.
  if (focused === walk.last) return [];
  if (walk.reached.has(focused)) return undefined;
  walk.reached.add(focused);

  const faults = walk.findRingFault(focused);
  const name = focused.ariaLabel ?? focused.textContent ?? focused.id;

  const { left, right, top, width, height } = focused.getBoundingClientRect();
  const covering = document.elementFromPoint(left + width / 2, top + height / 2);
  if (!covering || !(focused.contains(covering) || covering.contains(focused))) {
    faults.push(`"${name}" is out of sight or covered by ${covering?.className}`);
  }

  const last = walk.last;
  walk.last = focused;
  const isLoose = (one: Element) => one.closest('.form-end, .undo-bar, .search');
  if (last?.isConnected && !isLoose(last) && !isLoose(focused)) {
    const before = last.getBoundingClientRect();
    const isRtl = document.dir === 'rtl';
    const isBeside = isRtl ? right < before.right : left > before.left;
    const isBelow = top >= before.bottom - 4;
    const isAbove = top + height <= before.top + 4;
    if (isAbove || !(isBelow || isBeside)) {
      faults.push(
        `"${name}" comes after "${last.textContent}" in the tab order, but before it on the page`,
      );
    }
  }
  return faults;
}
