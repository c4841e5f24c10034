import { describe, expect, test } from 'vitest';
import { type Import, readModules, type SourceModule } from './support/read-modules.ts';

const shared = readModules('shared');
const server = readModules('server');
const extension = readModules('extension');
const product = [...shared, ...server, ...extension];
const everything = [...product, ...readModules('test')];

describe('extension → shared ← server', () => {
  test('the extension imports only its own files and shared', () => {
    expect(importsOf(extension, leaves('extension/', 'shared/'))).toEqual([]);
  });

  test('the server imports only its own files and shared', () => {
    expect(importsOf(server, leaves('server/', 'shared/', 'package.json'))).toEqual([]);
  });

  test('shared imports only zod and its own files', () => {
    const foreign = ({ specifier, file }: Import) =>
      file ? !file.startsWith('shared/') : !/^zod(\/|$)/.test(specifier);
    expect(importsOf(shared, foreign)).toEqual([]);
  });
});

describe('the server', () => {
  const httpSide = within(server, 'server/routes/', 'server/pages/', 'server/plugins/');

  test('routes, pages and plugins import only the interface of the store', () => {
    const behindTheInterface = ({ file }: Import) =>
      file?.startsWith('server/store/') === true && file !== 'server/store/store.ts';
    expect(importsOf(httpSide, behindTheInterface)).toEqual([]);
  });

  test('routes, pages and plugins do not use the file system', () => {
    const disk = ({ specifier }: Import) => /^(node:)?fs(\/|$)/.test(specifier);
    expect(importsOf(httpSide, disk)).toEqual([]);
  });

  test('only server/store/open.ts imports a driver', () => {
    const others = server.filter(({ path }) => path !== 'server/store/open.ts');
    const drivers = others.flatMap((module) =>
      importsOf([module], ({ file }) => file !== undefined && isDriverOf(file, module.path)),
    );
    expect(drivers).toEqual([]);
  });

  test('only server/config.ts reads the environment', () => {
    const readers = server.filter((module) => module.readsEnvironment).map(({ path }) => path);
    const allowed = ['server/config.ts', 'server/main.ts'];
    expect(readers.filter((path) => !allowed.includes(path))).toEqual([]);
  });
});

describe('the extension', () => {
  const byPath = new Map(product.map((module) => [module.path, module]));

  test.each(['popup', 'options'])('the %s page loads neither zod nor the client', (page) => {
    const roots = within(extension, `extension/pages/${page}/`, `extension/entrypoints/${page}/`);
    expect(roots).not.toEqual([]);
    const heavy = ({ specifier, file, typeOnly }: Import) =>
      !typeOnly && (/^zod(\/|$)/.test(specifier) || file === 'shared/client.ts');
    expect(importsOf(loadedWith(roots, byPath), heavy)).toEqual([]);
  });
});

describe('every file', () => {
  test('is not a barrel: exports are imported from where they are defined', () => {
    const barrels = everything.filter(
      ({ path, isBarrel }) => isBarrel || /(^|\/)index\.tsx?$/.test(path),
    );
    expect(barrels.map(({ path }) => path)).toEqual([]);
  });

  test('is imported by its relative path with file extension', () => {
    const unclear = ({ specifier, file }: Import) =>
      file ? !/\.\w+$/.test(file) : /^([~#/]|@\/)/.test(specifier);
    expect(importsOf(everything, unclear)).toEqual([]);
  });
});

/** Formats imports for readable failures: `shared/a.ts → node:fs`. */
function importsOf(modules: SourceModule[], matches: (entry: Import) => boolean): string[] {
  return modules.flatMap(({ path, imports }) =>
    imports.filter(matches).map(({ specifier }) => `${path} → ${specifier}`),
  );
}

function leaves(...folders: string[]) {
  return ({ file }: Import) =>
    file !== undefined && !folders.some((folder) => file.startsWith(folder));
}

function within(modules: SourceModule[], ...folders: string[]): SourceModule[] {
  return modules.filter(({ path }) => folders.some((folder) => path.startsWith(folder)));
}

/** Drivers are the folders in `server/store`, and the files there that are not shared by drivers. */
function isDriverOf(file: string, importer: string): boolean {
  if (!file.startsWith('server/store/') || /^server\/store\/(store|open)\.ts$/.test(file)) {
    return false;
  }
  const [, , driver = '', ...rest] = file.split('/');
  if (rest.length === 0) return !importer.startsWith('server/store/');
  return !importer.startsWith(`server/store/${driver}/`);
}

/** The modules and everything that they import, directly or indirectly. */
function loadedWith(roots: SourceModule[], byPath: Map<string, SourceModule>): SourceModule[] {
  const loaded = new Set(roots);
  for (const module of loaded) {
    for (const { file, typeOnly } of module.imports) {
      const next = file && !typeOnly ? byPath.get(file) : undefined;
      if (next) loaded.add(next);
    }
  }
  return [...loaded];
}
