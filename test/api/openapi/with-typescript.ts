import { registerHooks } from 'node:module';

/**
 * Loads a generator that needs the API of TypeScript, which version 7 does not have: ts-morph has a copy
 * without `tsc`.
 */
export async function withTypeScript<T>(load: () => Promise<T>): Promise<T> {
  const hooks = registerHooks({
    resolve: (specifier, context, next) =>
      next(specifier === 'typescript' ? '@ts-morph/common/dist/typescript.js' : specifier, context),
  });
  try {
    return await load();
  } finally {
    hooks.deregister();
  }
}
