import { type Dirent, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, resolve, sep } from 'node:path';
import packageJson from '../../package.json' with { type: 'json' };

/** The version in package.json. */
export const VERSION: string = packageJson.version;

const PROJECT_FOLDER = join(import.meta.dirname, '../..');

/**
 * Reads a file that ships with the server. Use it at startup only: during a request it would fail
 * when the process has run out of file descriptors.
 *
 * @param path relative to the project folder, such as `server/web/views/assets/curt.css`, or absolute
 */
export function readShippedFile(path: string): Buffer {
  return readFileSync(resolve(PROJECT_FOLDER, path));
}

/** A file that the build made, with the compressed copies that are next to it. */
export type BuiltFile = {
  type: string;
  content: Buffer;
  br: Buffer | undefined;
  gzip: Buffer | undefined;
};

/** By path below the folder, with `/`: `index.html`, `assets/main-Dx3k.js`. */
export type BuiltFiles = ReadonlyMap<string, BuiltFile>;

const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
};

/** Where `npm run build` puts the dashboard. */
export const DASHBOARD_FOLDER = join(import.meta.dirname, '../../dist/dashboard');

/**
 * Reads a folder of built files. Use it at startup only: during a request it would fail when the
 * process has run out of file descriptors.
 *
 * @returns undefined if the folder has no `index.html`, so that nothing was built
 */
export function readBuiltFiles(folder: string): BuiltFiles | undefined {
  const contents = new Map<string, Buffer>();
  for (const entry of listFiles(folder)) {
    const path = join(entry.parentPath, entry.name);
    contents.set(relative(folder, path).split(sep).join('/'), readFileSync(path));
  }
  const files = new Map<string, BuiltFile>();
  for (const [path, content] of contents) {
    const type = TYPES[extname(path)];
    if (type === undefined) continue;
    files.set(path, {
      type,
      content,
      br: contents.get(`${path}.br`),
      gzip: contents.get(`${path}.gz`),
    });
  }
  return files.has('index.html') ? files : undefined;
}

function listFiles(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
