import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Import, readModules, type SourceModule } from './support/read-modules.ts';

const shared = readModules('shared');
const server = readModules('server');
const extension = readModules('extension');
const product = [...shared, ...server, ...extension];
const everything = [...product, ...readModules('test')];

/** The interface of a store and the types in it. */
const STORE_INTERFACE =
  /^server\/store\/(rules\/authorize|store|store-url|link|link-calls|account|visits|blocks|stored-domains|reports|counters|administration)\.ts$/;
/** The files that know drivers: to open a store, and what the command line does with its data. */
const TOOLS = 'server/store/tools/';

describe('extension → shared ← server', () => {
  test('the extension imports only its own files and shared', () => {
    expect(importsOf(extension, leaves('extension/', 'shared/'))).toEqual([]);
  });

  test('the server imports only its own files and shared', () => {
    expect(importsOf(server, leaves('server/', 'shared/', 'package.json'))).toEqual([]);
  });

  test('shared imports only zod and shared', () => {
    const foreign = ({ specifier, file }: Import) =>
      file ? !file.startsWith('shared/') : !/^zod(\/|$)/.test(specifier);
    const withoutPages = shared.filter(({ path }) => !/^shared\/(ui|locales)\//.test(path));
    expect(importsOf(withoutPages, foreign)).toEqual([]);
  });

  test('only pages import the components in shared/ui', () => {
    const pages = within(everything, 'extension/', 'server/dashboard/', 'shared/ui/', 'test/');
    const others = everything.filter((module) => !pages.includes(module));
    expect(importsOf(others, ({ file }) => file?.startsWith('shared/ui/') === true)).toEqual([]);
  });
});

describe('the server', () => {
  const httpSide = within(server, 'server/routes/', 'server/web/');

  test('routes and what they share import only the interface of the store', () => {
    const implementation = ({ file }: Import) =>
      file?.startsWith('server/store/') === true && !STORE_INTERFACE.test(file);
    expect(importsOf(httpSide, implementation)).toEqual([]);
  });

  test('routes and what they share do not access the disk', () => {
    const disk = ({ specifier }: Import) => /^(node:)?fs(\/|$)/.test(specifier);
    expect(importsOf(httpSide, disk)).toEqual([]);
  });

  test('only the rooms of HTTP and the limits know Fastify', () => {
    const rest = server.filter(
      ({ path }) => !/^server\/(app\.ts|compat|limits|routes|web)/.test(path),
    );
    expect(importsOf(rest, ({ specifier }) => specifier === 'fastify')).toEqual([]);
  });

  test('only server/store/tools imports a driver', () => {
    const others = server.filter(({ path }) => !path.startsWith(TOOLS));
    const drivers = others.flatMap((module) =>
      importsOf([module], ({ file }) => file !== undefined && isDriverOf(file, module.path)),
    );
    expect(drivers).toEqual([]);
  });

  test('only server/config.ts reads the environment, which main.ts passes to it, and the command line', () => {
    const readers = server.filter((module) => module.readsEnvironment).map(({ path }) => path);
    const allowed = ['server/config.ts', 'server/main.ts', 'server/cli/context.ts'];
    expect(readers.filter((path) => !allowed.includes(path))).toEqual([]);
  });
});

describe('the rooms of the server', () => {
  /** Which rooms a room may import, types included. What is no folder is a file of its own. */
  const allowed: Record<string, string[]> = {
    lib: [],
    'config.ts': ['lib'],
    store: ['lib'],
    'store/json-file': ['lib', 'store'],
    'store/postgres': ['lib', 'store'],
    'store/tools': ['lib', 'store', 'store/json-file', 'store/postgres'],
    limits: ['lib', 'store'],
    blocks: ['lib', 'config.ts', 'store'],
    domains: ['lib', 'config.ts', 'store'],
    accounts: ['lib', 'config.ts', 'store', 'limits'],
    visits: ['lib', 'config.ts', 'store', 'blocks', 'limits', 'domains'],
    metrics: ['lib', 'config.ts', 'store', 'visits'],
    links: ['lib', 'config.ts', 'store', 'accounts', 'blocks', 'limits', 'domains', 'metrics'],
    admin: ['lib', 'config.ts', 'store', 'accounts', 'domains', 'metrics', 'links'],
    web: ['lib', 'config.ts', 'store', 'accounts', 'limits', 'domains', 'metrics'],
    routes: [
      ...['lib', 'config.ts', 'store', 'accounts', 'blocks', 'limits', 'visits', 'metrics'],
      ...['domains', 'links', 'admin', 'web'],
    ],
    // Not `routes`: it is beside them, over the same use cases.
    compat: [...['lib', 'config.ts', 'store', 'accounts', 'limits', 'domains', 'links', 'web']],
    'app.ts': [
      'compat',
      ...['lib', 'config.ts', 'store', 'accounts', 'blocks', 'limits'],
      ...['domains', 'visits', 'metrics', 'links', 'web', 'routes'],
    ],
    'check-start.ts': ['lib', 'config.ts', 'store', 'blocks', 'domains', 'metrics'],
    'main.ts': [
      ...['lib', 'config.ts', 'store', 'store/tools', 'limits', 'metrics', 'web', 'app.ts'],
      'check-start.ts',
    ],
    'can-run.js': [],
    'start.js': ['can-run.js', 'main.ts'],
    cli: ['lib', 'config.ts', 'store', 'store/tools', 'start.js', 'can-run.js'],
    dashboard: [],
  };
  const rooms = Object.keys(allowed);
  const serverRoomOf = (path: string) =>
    rooms.findLast((room) => path === `server/${room}` || path.startsWith(`server/${room}/`)) ?? '';

  test('are the only files and folders of the server', () => {
    const root = join(import.meta.dirname, '../../server');
    const top = rooms.filter((room) => !room.includes('/'));
    expect(readdirSync(root).sort()).toEqual(top.sort());
  });

  test('import only the rooms below them', () => {
    for (const [index, room] of rooms.entries()) {
      expect(rooms.slice(0, index), room).toEqual(expect.arrayContaining(allowed[room] ?? []));
    }
    const forbidden = server.flatMap((module) => {
      const room = serverRoomOf(module.path);
      return importsOf([module], ({ file }) => {
        const target = serverRoomOf(file ?? '');
        return target !== '' && target !== room && !allowed[room]?.includes(target);
      });
    });
    expect(forbidden).toEqual([]);
  });
});

test('no files import each other in a circle, not even types', () => {
  const files = product.map(({ path, imports }) => ({
    room: path,
    targets: imports.flatMap(({ file }) => file ?? []),
  }));
  expect(findCircle(files)).toEqual([]);
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

describe('the rooms of the extension', () => {
  /** Which rooms a room may import. */
  const allowed: Record<string, string[]> = {
    urls: [],
    links: ['urls'],
    messaging: ['urls', 'links'],
    i18n: ['urls', 'messaging'],
    storage: ['links', 'messaging'],
    ui: ['urls', 'links', 'i18n', 'messaging'],
    pages: ['urls', 'i18n', 'links', 'messaging', 'ui'],
    background: ['urls', 'i18n', 'links', 'messaging', 'storage'],
    entrypoints: ['urls', 'background', 'i18n', 'links', 'messaging', 'pages', 'ui'],
    packaging: [],
    public: [],
  };

  test('are the only files and folders of the extension, apart from its type declarations', () => {
    const root = join(import.meta.dirname, '../../extension');
    expect(readdirSync(root).sort()).toEqual([...Object.keys(allowed), 'env.d.ts'].sort());
  });

  test('import only the rooms below them', () => {
    const forbidden = extension.flatMap((module) => {
      const room = roomOf(module.path);
      const others = allowed[room] ?? [];
      return importsOf([module], ({ file }) => {
        const target = roomOf(file ?? '');
        return target !== '' && target !== room && !others.includes(target);
      });
    });
    expect(forbidden).toEqual([]);
  });

  test('do not import each other in a circle', () => {
    expect(findCircle(extension.map(toRooms((path) => roomOf(path))))).toEqual([]);
  });

  test('of the background do not import each other in a circle', () => {
    const rooms = within(extension, 'extension/background/').map(
      toRooms((path) => /^extension\/background\/([^/]+)\//.exec(path)?.[1] ?? ''),
    );
    expect(new Set(rooms.map(({ room }) => room)).size).toBeGreaterThan(5);
    expect(findCircle(rooms)).toEqual([]);
  });

  test('take the paths of pages from one file', () => {
    const spelled = globSync('extension/**/*.{ts,tsx}', { cwd: join(import.meta.dirname, '../..') })
      .filter((path) => !/extension\/(urls\/extension-pages|packaging\/.*)\.ts$/.test(path))
      .filter((path) =>
        /['"`]\/?(popup|options|links|welcome|offscreen)\.html/.test(
          readFileSync(join(import.meta.dirname, '../..', path), 'utf8'),
        ),
      );
    expect(spelled).toEqual([]);
  });
});

describe('every file', () => {
  test('is imported directly: there are no barrel files', () => {
    const barrels = everything.filter(
      ({ path, isBarrel }) => isBarrel || /(^|\/)index\.tsx?$/.test(path),
    );
    expect(barrels.map(({ path }) => path)).toEqual([]);
  });

  test('is imported by its relative path with its file extension', () => {
    const unclear = ({ specifier, file }: Import) =>
      file ? !/\.\w+$/.test(file) : /^([~#/]|@\/)/.test(specifier);
    expect(importsOf(everything, unclear)).toEqual([]);
  });
});

/** The matching imports, formatted as `shared/a.ts → node:fs`. */
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

/** The folder of `extension` that a file is in; empty for other files. */
function roomOf(path: string): string {
  return /^extension\/([^/]+)\//.exec(path)?.[1] ?? '';
}

type RoomImports = { room: string; targets: string[] };

/** Maps a module to its room and the rooms that it imports; type imports do not count. */
function toRooms(room: (path: string) => string) {
  return ({ path, imports }: SourceModule): RoomImports => ({
    room: room(path),
    targets: imports.flatMap(({ file, typeOnly }) => (file && !typeOnly ? [room(file)] : [])),
  });
}

/** @returns the rooms of a circle, for example `a`, `b`, `a`; empty if there is none */
function findCircle(modules: RoomImports[]): string[] {
  const graph = new Map<string, Set<string>>();
  for (const { room, targets } of modules) {
    const known = graph.get(room) ?? new Set();
    graph.set(room, known);
    for (const target of targets) if (target !== room && target !== '') known.add(target);
  }
  graph.delete('');
  const visited = new Set<string>();
  const visit = (room: string, path: string[]): string[] => {
    if (path.includes(room)) return [...path.slice(path.indexOf(room)), room];
    if (visited.has(room)) return [];
    visited.add(room);
    for (const target of graph.get(room) ?? []) {
      const circle = visit(target, [...path, room]);
      if (circle.length > 0) return circle;
    }
    return [];
  };
  for (const room of graph.keys()) {
    const circle = visit(room, []);
    if (circle.length > 0) return circle;
  }
  return [];
}

/** What the drivers share. */
const SHARED_BY_DRIVERS = ['lists', 'statistics'];

/** A driver is a folder under `server/store`, or a file next to the interface that drivers do not share. */
function isDriverOf(file: string, importer: string): boolean {
  // What a search looks for, without I/O.
  if (/^server\/store\/lists\/link-filter\.ts$/.test(file)) return false;
  if (!file.startsWith('server/store/')) return false;
  if (STORE_INTERFACE.test(file)) return false;
  if (file.startsWith(TOOLS)) return importer.startsWith('server/store/');
  // Rules without I/O: a plan of changes asks them, too.
  if (file.startsWith('server/store/rules/')) return false;
  const [, , driver = '', ...rest] = file.split('/');
  if (rest.length === 0 || SHARED_BY_DRIVERS.includes(driver))
    return !importer.startsWith('server/store/');
  return !importer.startsWith(`server/store/${driver}/`);
}

/** The modules and everything that they import. */
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
