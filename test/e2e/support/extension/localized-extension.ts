import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';

export type LocalizedExtension = { folder: string; remove(): Promise<void> };

/**
 * The built extension with the texts of a locale instead of the English ones: a browser shows an
 * extension in the browser's language, and not every Chromium includes other languages.
 */
export async function localizedExtension(locale: string): Promise<LocalizedExtension> {
  const folder = await mkdtemp(join(tmpdir(), `curt-${locale}-`));
  await cp(inject('chromeExtensionFolder'), folder, { recursive: true });
  const texts = (name: string) => join(folder, '_locales', name, 'messages.json');
  await cp(texts(locale), texts('en'));
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}
