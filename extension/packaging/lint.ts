import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * `npm run lint:extension`: runs the linter of addons.mozilla.org on the Firefox build. Exits with 1 if
 * it reports more than the known warning about a library, which `STORE.md` explains to reviewers.
 */
const KNOWN = [
  {
    code: 'UNSAFE_VAR_ASSIGNMENT',
    // Property names, which a minifier does not change.
    line: /\.__html\b[^;]*\.innerHTML\s*=/,
    why: 'Preact assigns innerHTML for dangerouslySetInnerHTML, which Curt does not use.',
  },
];
const CONTEXT_CHARACTERS = 200;

type Finding = { code: string; message: string; file?: string; line?: number; column?: number };
type Report = Record<'errors' | 'warnings' | 'notices', Finding[]>;

const ROOT = join(import.meta.dirname, '../..');
const folder = process.argv[2] ?? join(ROOT, 'dist/firefox-mv3');

const { errors, warnings, notices } = await lint();
for (const finding of [...errors, ...warnings, ...notices]) {
  const { code, message, file = 'manifest.json', line = 1 } = finding;
  const known = await findKnown(finding);
  const text = `${file}:${line} ${code}: ${message}\n`;
  if (known) process.stdout.write(`Known: ${text}  ${known.why}\n`);
  else process.stderr.write(text);
  if (!known) process.exitCode = 1;
}

async function findKnown({ code, file, line = 1, column = 0 }: Finding) {
  const candidates = KNOWN.filter((known) => known.code === code);
  if (!file || candidates.length === 0) return undefined;
  const text = (await readFile(join(folder, file), 'utf8')).split('\n')[line - 1] ?? '';
  const around = text.slice(Math.max(0, column - CONTEXT_CHARACTERS), column + CONTEXT_CHARACTERS);
  return candidates.find((known) => known.line.test(around));
}

function lint(): Promise<Report> {
  const program = join(ROOT, 'node_modules/web-ext/bin/web-ext.js');
  const args = [program, 'lint', '--source-dir', folder, '--output', 'json'];
  return new Promise((resolve, reject) => {
    // It exits with an error if it finds one. Only without a report did the linter itself fail.
    execFile(process.execPath, args, (error, stdout, stderr) => {
      try {
        resolve(JSON.parse(stdout));
      } catch {
        reject(new Error(`web-ext lint printed no report:\n${stdout}${stderr}`, { cause: error }));
      }
    });
  });
}
