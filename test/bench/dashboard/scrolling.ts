import type { Page } from 'puppeteer-core';

const STEP_PIXELS = 200;

export type ScrollTimes = {
  /** From each frame to the next. */
  frameMs: number[];
  /** Work of the main thread per frame. */
  workMs: number;
};

/** Scrolls to the end until all pages of the list are loaded. @returns the document's height */
export function loadAllLinks(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const isComplete = () =>
      Number(document.querySelector('.row')?.getAttribute('aria-setsize') ?? -1) > 0;
    while (!isComplete()) {
      scrollTo(0, document.documentElement.scrollHeight);
      await new Promise(requestAnimationFrame);
    }
    return document.documentElement.scrollHeight;
  });
}

/** Gives a page a height without adding content. */
export async function makeTall(page: Page, pixels: number): Promise<void> {
  await page.evaluate((height) => {
    document.body.style.blockSize = `${height}px`;
  }, pixels);
}

/** Scrolls down by 200 pixels in each frame. */
export async function timeScroll(page: Page, frames: number, from: number): Promise<ScrollTimes> {
  await page.bringToFront();
  await page.evaluate(async (top) => {
    scrollTo(0, top);
    for (let frame = 0; frame < 10; frame++) await new Promise(requestAnimationFrame);
  }, from);
  const before = await page.metrics();
  const frameMs = await page.evaluate(
    async (count, step) => {
      const nextFrame = () => new Promise<number>(requestAnimationFrame);
      const times: number[] = [];
      let previous = await nextFrame();
      for (let frame = 0; frame < count; frame++) {
        scrollBy(0, step);
        const now = await nextFrame();
        times.push(now - previous);
        previous = now;
      }
      return times;
    },
    frames,
    STEP_PIXELS,
  );
  const after = await page.metrics();
  const workSeconds = (after.TaskDuration ?? 0) - (before.TaskDuration ?? 0);
  return { frameMs, workMs: (1000 * workSeconds) / frames };
}
