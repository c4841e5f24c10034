import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** As Vite's `build.license` writes it, for each build of some entrypoints. */
type BundledPackage = { name: string; version: string; identifier?: string; text?: string };

const ROOT = join(import.meta.dirname, '../..');

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
  const notices = await Promise.all(sorted.map(([, each]) => noticeOf(each)));
  await writeFile(join(folder, 'THIRD_PARTY_NOTICES.txt'), notices.join('\n\n'));
}

async function noticeOf(bundled: BundledPackage): Promise<string> {
  const { name, version, identifier } = bundled;
  const source = `The source is in the npm package ${name}@${version}.`;
  const text = bundled.text ?? (await writeLicense(bundled));
  return `## ${name} ${version}${identifier ? ` (${identifier})` : ''}\n\n${source}\n\n${text}`;
}

/** For a package that names the MIT license without its text, which a copy must have: Curt's own, with its author. */
async function writeLicense({ name, identifier }: BundledPackage): Promise<string> {
  const path = join(ROOT, 'node_modules', name, 'package.json');
  const { author } = JSON.parse(await readFile(path, 'utf8'));
  const holder = author?.name ?? author;
  if (identifier !== 'MIT' || !holder) throw new Error(`${name} has no text of its license.`);
  const own = await readFile(join(ROOT, 'LICENSE'), 'utf8');
  return own.replace(/^Copyright.*$/m, `Copyright (c) ${holder}`);
}
