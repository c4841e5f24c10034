import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'puppeteer-core';

const ROOT = join(import.meta.dirname, '../..');

/** What every store takes. */
export const STORE_SIZE = { width: 1280, height: 800, deviceScaleFactor: 1 };

export type Scene = {
  /** File in this folder. */
  template: 'stage.html' | 'window.html';
  colorScheme: 'light' | 'dark';
  /** By selector, what stands in the template's elements. */
  words: Record<string, string>;
  /** By selector, the PNG of an image, and how wide it is shown, in pixels. */
  pictures: Record<string, { png: Uint8Array; width: number }>;
};

/** Puts pictures of the extension onto a quiet ground. @returns the PNG of the whole */
export async function compose(browser: Browser, scene: Scene): Promise<Uint8Array> {
  const page = await browser.newPage();
  try {
    await page.setViewport(STORE_SIZE);
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scene.colorScheme }]);
    await page.setContent(await readFile(join(import.meta.dirname, scene.template), 'utf8'));
    await page.addStyleTag({ path: join(ROOT, 'shared/tokens.css') });
    const mark = await readFile(join(ROOT, 'shared/icon.svg'), 'base64');
    await page.$eval(
      '.mark',
      (image, source) => image.setAttribute('src', source),
      `data:image/svg+xml;base64,${mark}`,
    );
    for (const [selector, words] of Object.entries(scene.words)) {
      await page.$eval(
        selector,
        (element, said) => {
          element.textContent = said;
        },
        words,
      );
    }
    for (const [selector, { png, width }] of Object.entries(scene.pictures)) {
      const source = `data:image/png;base64,${Buffer.from(png).toString('base64')}`;
      await page.$eval(
        selector,
        async (element, given, pixels) => {
          const image = element as HTMLImageElement;
          image.src = given;
          image.width = pixels;
          await image.decode();
        },
        source,
        width,
      );
    }
    return await page.screenshot();
  } finally {
    await page.close();
  }
}
