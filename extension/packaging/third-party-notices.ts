import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** As Vite's `build.license` writes it, for each build of some entrypoints. */
type BundledPackage = { name: string; version: string; identifier?: string; text?: string };

const PART = /^licenses-.*\.json$/;

/** Returns the name of the file in which a build lists the packages of its bundles. */
export const licensePart = (build: string) => `licenses-${build}.json`;

/** Replaces the lists of all builds in a folder by one `THIRD_PARTY_NOTICES.txt`. */
export async function writeThirdPartyNotices(folder: string): Promise<void> {
  const packages = new Map<string, BundledPackage>();
  for (const name of (await readdir(folder)).filter((each) => PART.test(each))) {
    const path = join(folder, name);
    const listed: BundledPackage[] = JSON.parse(await readFile(path, 'utf8'));
    for (const each of listed) packages.set(`${each.name}@${each.version}`, each);
    await rm(path);
  }
  const sorted = [...packages].sort(([one], [other]) => (one < other ? -1 : 1));
  const notices = sorted.map(([, each]) => noticeOf(each));
  await writeFile(join(folder, 'THIRD_PARTY_NOTICES.txt'), notices.join('\n\n'));
}

function noticeOf({ name, version, identifier, text }: BundledPackage): string {
  const source = `The source is in the npm package ${name}@${version}.`;
  return `## ${name} ${version}${identifier ? ` (${identifier})` : ''}\n\n${source}\n\n${text ?? ''}`;
}
