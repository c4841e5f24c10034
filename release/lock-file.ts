/** A package in `package-lock.json`. */
export type LockedPackage = {
  version: string;
  license?: string;
  integrity?: string;
  dev?: boolean;
  optional?: boolean;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
};

/** Packages by their path: `node_modules/pino`. That of the project itself is empty. */
export type LockFile = { packages: Record<string, LockedPackage> };

/** The packages that are installed with the server, on some system. */
export function serverPackages({ packages }: LockFile): [path: string, LockedPackage][] {
  return Object.entries(packages).filter(([path, { dev }]) => path !== '' && !dev);
}

/** The name of the package at a path. */
export function nameOf(path: string): string {
  return path.split('node_modules/').at(-1) ?? '';
}

/** Where Node.js finds a package by its name, from another one. */
export function findFrom({ packages }: LockFile, path: string, name: string): string | undefined {
  const parents = (path && `/${path}`).split('/node_modules/');
  for (let depth = parents.length; depth > 0; depth--) {
    const found = [...parents.slice(0, depth), name].join('/node_modules/').slice(1);
    if (packages[found]) return found;
  }
  return undefined;
}
