import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'puppeteer-core';

const ROOT = join(import.meta.dirname, '../..');

/** A size that every store accepts. */
export const STORE_SIZE = { width: 1280, height: 800, deviceScaleFactor: 1 };

export type Scene = {
  /** A file in this folder. */
  template: 'stage.html' | 'window.html';
  colorScheme: 'light' | 'dark';
  /** Texts of the template's elements, by selector. */
  texts: Record<string, string>;
  /** The template's images by selector: a PNG and its displayed width in pixels. */
  pictures: Record<string, { png: Uint8Array; width: number }>;
};

/** Places screenshots of the extension in a template. @returns the resulting PNG */
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
    for (const [selector, text] of Object.entries(scene.texts)) {
      await page.$eval(
        selector,
        (element, content) => {
          element.textContent = content;
        },
        text,
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
