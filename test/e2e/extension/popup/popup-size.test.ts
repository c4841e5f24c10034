import type { Page } from 'puppeteer-core';
import { expect, test } from 'vitest';
import { openForm, press, useFixture } from '../../support/extension/extension-fixture.ts';
import {
  openInState,
  POPUP_STATES,
  type PopupState,
} from '../../support/extension/popup-states.ts';

/** A laptop with 1366 by 768 pixels at 125 %: a popup of 600 px doesn't fit. */
const fixture = useFixture({
  switches: ['--screen-info={1366x768 devicePixelRatio=1.25}', '--window-size=1092,614'],
});

test('a popup on a low screen has one scroller, fills its width and shows its button', async () => {
  const popup = await openForm(fixture);
  await popup.waitForFunction(() => innerHeight > 500);
  expect(await popup.evaluate(() => innerHeight)).toBeLessThan(590);
  await expect.poll(() => popup.evaluate(findScrolling)).toEqual(['html']);
  const widths = () => [document.body.clientWidth, document.documentElement.clientWidth];
  const [body, page] = await popup.evaluate(widths);
  expect(body).toBe(page);
  await expect.poll(() => isInSight(popup, '.form-end button')).toBe(true);
});

test('a taken alias shows its suggestions by the field, not covered by anything', async () => {
  const state = POPUP_STATES.find(({ name }) => name === 'the form, with a taken alias');
  await openInState(fixture, state as PopupState, async (popup) => {
    await popup.setViewport({ width: 360, height: 400 });
    await press(popup, 'Save');
    await popup.waitForFunction(() => document.activeElement?.ariaInvalid === 'true');
    await expect.poll(() => isInSight(popup, '[aria-invalid]')).toBe(true);
    await expect.poll(() => isInSight(popup, '.suggestions')).toBe(true);
  });
});

/** Runs in the popup. */
function findScrolling(): string[] {
  const { documentElement, body } = document;
  return [documentElement, body]
    .filter(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight + 1)
    .filter((one) => one === documentElement || /auto|scroll/.test(getComputedStyle(one).overflowY))
    .map((one) => one.localName);
}

/** Whether the element is fully visible and not covered. */
function isInSight(popup: Page, selector: string): Promise<boolean> {
  return popup.$eval(selector, (element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    const corners = [
      [left + 4, top + 4],
      [right - 4, bottom - 4],
    ] as const;
    return corners.every(([x, y]) => {
      const found = document.elementFromPoint(x, y);
      return found !== null && element.contains(found);
    });
  });
}
