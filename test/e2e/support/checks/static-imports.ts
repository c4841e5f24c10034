import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { parseSync } from 'vite';

/** The modules and everything that they import statically, relative to the folder of the build. */
export function withStaticImports(folder: string, paths: Iterable<string>): Set<string> {
  const files = new Set(paths);
  // The set grows during the loop, so that imports are followed too.
  for (const path of files) {
    if (path.endsWith('.js')) for (const found of importsOf(folder, path)) files.add(found);
  }
  return files;
}

/** A module's static imports. Dynamic imports are not included. */
function importsOf(folder: string, path: string): string[] {
  const { module } = parseSync(path, readFileSync(join(folder, path), 'utf8'));
  return [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? []),
    ),
  ].map((specifier) => posix.join(posix.dirname(path), specifier));
}
