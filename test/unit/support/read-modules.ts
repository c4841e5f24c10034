import { globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { parseSync } from 'vite';

const ROOT = join(import.meta.dirname, '../../..');

export type Import = {
  /** As in the source: `./links.ts`, `zod`, `node:fs`. */
  specifier: string;
  /** The imported file, relative to the project's root: `shared/bounds.ts`; absent for a package. */
  file?: string;
  /** Whether it is an `import type`, which is erased. */
  typeOnly: boolean;
};

export type SourceModule = {
  /** Relative to the project's root, with `/`: `server/routes/shorten.ts`. */
  path: string;
  imports: Import[];
  /** Whether it only re-exports other files. */
  isBarrel: boolean;
  readsEnvironment: boolean;
};

/** Reads every TypeScript file under `folder` with its imports. */
export function readModules(folder: string): SourceModule[] {
  return globSync(`${folder}/**/*.{ts,tsx}`, { cwd: ROOT })
    .map((path) => path.replaceAll('\\', '/'))
    .sort()
    .map((path) => readModule(path, readFileSync(join(ROOT, path), 'utf8')));
}

export function readModule(path: string, source: string): SourceModule {
  const { program, module, errors } = parseSync(path, source);
  if (errors.length > 0) throw new Error(`${path} does not parse: ${errors[0]?.message}`);
  const written = [
    ...module.staticImports.map(({ start, moduleRequest }) => ({
      specifier: moduleRequest.value,
      // Regardless of its entries: `import { type A }` still loads the file.
      typeOnly: /^import\s+type\b/.test(source.slice(start)),
    })),
    ...module.staticExports.flatMap(({ start, entries }) => {
      const request = entries.find(({ moduleRequest }) => moduleRequest)?.moduleRequest;
      const typeOnly = /^export\s+type\b/.test(source.slice(start));
      return request ? [{ specifier: request.value, typeOnly }] : [];
    }),
    ...module.dynamicImports.map(({ moduleRequest: { start, end } }) => ({
      specifier: source.slice(start, end).replace(/^['"`]|['"`]$/g, ''),
      typeOnly: false,
    })),
  ];
  return {
    path,
    imports: written.map((entry) =>
      entry.specifier.startsWith('.')
        ? { ...entry, file: posix.join(posix.dirname(path), entry.specifier.replace(/\?.*$/, '')) }
        : entry,
    ),
    isBarrel:
      program.body.length > 0 &&
      program.body.every(
        (statement) =>
          statement.type === 'ExportAllDeclaration' ||
          (statement.type === 'ExportNamedDeclaration' && statement.source !== null),
      ),
    readsEnvironment: findsEnvironment(program),
  };
}

/** Detects `process.env`, `const { env } = process` and `import … from 'node:process'`. */
function findsEnvironment(node: unknown): boolean {
  if (Array.isArray(node)) return node.some(findsEnvironment);
  if (typeof node !== 'object' || node === null) return false;
  const { type, object, init, source } = node as Record<string, { name?: string; value?: unknown }>;
  const { name } = (node as { property?: { name?: string } }).property ?? {};
  if (`${type}` === 'MemberExpression' && object?.name === 'process' && name === 'env') return true;
  if (`${type}` === 'VariableDeclarator' && init?.name === 'process') return true;
  if (`${type}` === 'ImportDeclaration' && /^(node:)?process$/.test(`${source?.value}`))
    return true;
  return Object.values(node).some(findsEnvironment);
}
