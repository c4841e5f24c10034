import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { EXIT_CODES } from '../../server/cli/cli-error.ts';
import { createProgram, leavesOf } from '../../server/cli/run.ts';
import { Output, toTable } from '../../server/cli/terminal/output.ts';
import { newFolder } from '../support/new-folder.ts';
import { runCurt } from './support/curt.ts';

const GUIDE = new URL('../../docs/cli.md', import.meta.url);
const environment = {
  server: undefined,
  token: undefined,
  adminToken: undefined,
  storeUrl: 'file:./data',
  credentialsPath: '/nowhere',
  proxyOf: () => undefined,
};
const program = createProgram({ environment, output: new Output(false) });
const commands = leavesOf(program).map((command) => {
  const parents = command.parent === program ? '' : `${command.parent?.name()} `;
  return { command, name: `${parents}${command.name()}` };
});

test('docs/cli.md lists every command, and no other', async () => {
  const [, table = ''] = (await readFile(GUIDE, 'utf8')).split('| for | commands |');
  const [rows = ''] = table.split('\n\n');
  const names = [...rows.matchAll(/`([^`]+)`/g)].map(([, name]) => name);
  expect(names.sort()).toEqual(commands.map(({ name }) => name).sort());
});

test('docs/cli.md lists every exit code', async () => {
  const guide = await readFile(GUIDE, 'utf8');
  const rows = [...guide.matchAll(/^\| (\d) \| `(\w+)` \|/gm)].map(([, code, name]) => [
    name,
    Number(code),
  ]);
  expect(Object.fromEntries(rows)).toEqual(EXIT_CODES);
});

test('every command has examples and --json', () => {
  for (const { command, name } of commands) {
    let help = '';
    command.configureOutput({ writeOut: (text) => (help += text) });
    command.outputHelp();
    expect({ name, help }).toEqual({
      name,
      help: expect.stringMatching(/--json[\s\S]*Examples:\n {2}\$ /),
    });
  }
});

test('a table on a terminal of unknown width is not cut', () => {
  const { columns } = process.stdout;
  onTestFinished(() => void Object.assign(process.stdout, { columns }));
  Object.assign(process.stdout, { columns: 0 });
  expect(toTable([['A'], ['bc']])).toEqual(['A', 'bc']);
});

test('columns align whatever the width of their letters, and a line is cut at the width of the terminal', () => {
  const rows = [
    ['ALIAS', 'TITLE', 'TAGS'],
    ['menu', '日本語のメニュー', '食'],
    ['party', 'Fête 🎉👩‍👩‍👧', 'a'],
    ['e', 'e\u0301e\u0301', 'b'],
  ];
  expect(toTable(rows, { width: 100 })).toEqual([
    'ALIAS  TITLE             TAGS',
    'menu   日本語のメニュー  食',
    'party  Fête 🎉👩‍👩‍👧         a',
    'e      e\u0301e\u0301                b',
  ]);
  expect(toTable(rows, { width: 12 }).slice(1, 3)).toEqual(['menu   日本…', 'party  Fête…']);
});

test('an argument that begins with a dash is explained, and accepted after --', async () => {
  const { exitCode, stderr } = await runCurt(['block', 'link', '-x', '--reason', 'y']);
  expect(exitCode).toBe(2);
  expect(stderr).toContain("unknown option '-x'");
  expect(stderr).toContain('put "--" before it, after all options');
  const env = { CURT_SERVER: 'http://127.0.0.1:2', CURT_TOKEN: 'curt_x' };
  expect((await runCurt(['delete', '--purge', '--', '-x'], { env })).exitCode).toBe(3);
});

/** The words that bash offers for the last of these. */
function completeInBash(script: string, ...words: string[]): string[] {
  const test = `${script}
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _curt; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync('bash', ['-c', test, 'bash', ...words], { encoding: 'utf8' })
    .split('\n')
    .filter((word) => word !== '');
}

test('the completion for bash offers commands, options and values, and otherwise files', async () => {
  const { stdout: script } = await runCurt(['completion', 'bash']);
  expect(completeInBash(script, 'curt', 'sh')).toEqual(['shorten']);
  expect(completeInBash(script, 'curt', '--v')).toEqual(['--version']);
  expect(completeInBash(script, 'curt', 'list', '--st')).toEqual(['--status']);
  expect(completeInBash(script, 'curt', 'list', '--status', 'in')).toEqual(['inactive']);
  expect(completeInBash(script, 'curt', 'completion', '')).toEqual(['bash', 'zsh', 'fish']);
  expect(completeInBash(script, 'curt', 'import', '')).toEqual([]);
  expect(script).toContain('complete -o default -F _curt curt\n');
});

test.each([
  ['zsh', ['-n']],
  ['fish', ['--no-execute']],
])('the completion for %s has no syntax error, if that shell is installed', async (shell, args) => {
  const file = join(await newFolder(), 'completion');
  const { stdout: script } = await runCurt(['completion', shell]);
  expect(script).toContain('shorten');
  await writeFile(file, script);
  try {
    execFileSync(shell, [...args, file], { stdio: 'pipe' });
  } catch (error) {
    // A folder in PATH that cannot be read makes it EACCES.
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'EACCES') throw error;
  }
});
