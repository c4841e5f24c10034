import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';

export type SpeakingExtension = { folder: string; remove(): Promise<void> };

/**
 * The built extension with the texts of a locale in the place of the English ones: a browser shows
 * an extension in its own language alone, and not every Chromium has other languages with it.
 */
export async function speakingExtension(locale: string): Promise<SpeakingExtension> {
  const folder = await mkdtemp(join(tmpdir(), `curt-${locale}-`));
  await cp(inject('chromeExtensionFolder'), folder, { recursive: true });
  const texts = (name: string) => join(folder, '_locales', name, 'messages.json');
  await cp(texts(locale), texts('en'));
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}
