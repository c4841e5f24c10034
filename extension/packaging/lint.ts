import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * `npm run lint:extension`: what addons.mozilla.org's own linter says of the Firefox build. Ends with
 * 1 when it says more than what is known of a library; `STORE.md` tells reviewers why that stands.
 */
const KNOWN = [
  {
    code: 'UNSAFE_VAR_ASSIGNMENT',
    // Minified or not, by the words that a minifier leaves.
    line: /\.__html\b[^;]*\.innerHTML\s*=/,
    why: 'Preact assigns innerHTML for dangerouslySetInnerHTML, which is used nowhere here.',
  },
];
const CONTEXT_CHARACTERS = 200;

type Complaint = { code: string; message: string; file?: string; line?: number; column?: number };
type Report = Record<'errors' | 'warnings' | 'notices', Complaint[]>;

const ROOT = join(import.meta.dirname, '../..');
const folder = process.argv[2] ?? join(ROOT, 'dist/firefox-mv3');

const { errors, warnings, notices } = await lint();
for (const complaint of [...errors, ...warnings, ...notices]) {
  const { code, message, file = 'manifest.json', line = 1 } = complaint;
  const known = await findKnown(complaint);
  const said = `${file}:${line} ${code}: ${message}\n`;
  if (known) process.stdout.write(`Known: ${said}  ${known.why}\n`);
  else process.stderr.write(said);
  if (!known) process.exitCode = 1;
}

async function findKnown({ code, file, line = 1, column = 0 }: Complaint) {
  const candidates = KNOWN.filter((known) => known.code === code);
  if (!file || candidates.length === 0) return undefined;
  const text = (await readFile(join(folder, file), 'utf8')).split('\n')[line - 1] ?? '';
  const around = text.slice(Math.max(0, column - CONTEXT_CHARACTERS), column + CONTEXT_CHARACTERS);
  return candidates.find((known) => known.line.test(around));
}

function lint(): Promise<Report> {
  const program = join(ROOT, 'node_modules/web-ext/bin/web-ext.js');
  const words = [program, 'lint', '--source-dir', folder, '--output', 'json'];
  return new Promise((resolve, reject) => {
    // It ends with an error when it has found one; what it prints tells that from a fault of its own.
    execFile(process.execPath, words, (error, stdout, stderr) => {
      try {
        resolve(JSON.parse(stdout));
      } catch {
        reject(new Error(`web-ext lint gave no report:\n${stdout}${stderr}`, { cause: error }));
      }
    });
  });
}
