import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

const COMPRESSIBLE = /\.(css|html|js|json|svg|webmanifest)$/;

/** Writes compressed copies next to the built files, so that the server need not compress. */
export function compressedCopies(): Plugin {
  return {
    name: 'compressed-copies',
    apply: 'build',
    writeBundle({ dir = '' }) {
      const names = readdirSync(dir, { recursive: true, encoding: 'utf8' });
      for (const name of names.filter((name) => COMPRESSIBLE.test(name))) {
        const path = join(dir, name);
        const content = readFileSync(path);
        writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
        writeFileSync(`${path}.br`, brotli(content));
      }
    },
  };
}

function brotli(content: Buffer): Buffer {
  return brotliCompressSync(content, {
    params: {
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
    },
  });
}
