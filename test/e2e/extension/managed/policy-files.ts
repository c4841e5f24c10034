import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const DOCUMENT = join(import.meta.dirname, '../../../../docs/managed-extension.md');

/** Where Debian's browsers read policies. Only root can write there. */
export const CHROMIUM_POLICIES = '/etc/chromium/policies/managed';
export const FIREFOX_POLICIES = '/etc/firefox/policies';

/** The end of the ids of add-ons that exist in these tests only. */
export const TEST_ADDON = '@managed.curt.example';

/** The example in the documentation with this id, as a policy for another extension. */
export async function examplePolicy(
  id: string,
  { as, ...changes }: { as: string } & Record<string, unknown>,
): Promise<string> {
  const text = await readFile(DOCUMENT, 'utf8');
  const blocks = [...text.matchAll(/```json\n([\s\S]+?)```/g)].map(([, json = '']) => json);
  const block = blocks.find((json) => json.includes(`"${id}"`));
  if (!block) throw new Error(`The documentation has no policy for ${id}.`);
  return JSON.stringify(
    JSON.parse(block, (_key, value) => {
      if (value === null || typeof value !== 'object' || !(id in value)) return value;
      return { [as]: { ...value[id], ...changes } };
    }),
  );
}

/**
 * Writes a policy file.
 *
 * @returns a function that removes it with the folders that it needed
 * @throws Error if there is a file of somebody else's
 */
export async function writePolicy(path: string, text: string): Promise<() => Promise<void>> {
  const before = await readFile(path, 'utf8').catch(() => '');
  // A test that was interrupted leaves its own.
  if (before && !before.includes(TEST_ADDON)) throw new Error(`${path} exists: move it away.`);
  const created = await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
  return async () => {
    await rm(path, { force: true });
    if (created) await rm(created, { recursive: true, force: true });
  };
}
