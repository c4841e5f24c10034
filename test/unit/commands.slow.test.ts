import { expect, test } from 'vitest';
import { runBeside, runVitest, runWithFailingTest } from '../support/commands/run-command.ts';

test('npm test fails if a test of any of its projects fails', async () => {
  const { exitCode, projects } = await runWithFailingTest('test');
  expect(projects.sort()).toEqual(['api', 'cli', 'store', 'unit', 'unit-extension']);
  expect(exitCode).toBe(1);
});

test.each([
  ['true', 'true', 0],
  ['false', 'true', 1],
  ['true', 'false', 1],
])(
  'npm test and npm run test:all with %s for the tests and %s for the check end with %i',
  async (tests, check, expected) => {
    for (const command of ['test', 'test:all']) {
      const { exitCode } = await runBeside(command, tests, check);
      expect({ command, exitCode }).toEqual({ command, exitCode: expected });
    }
  },
);

test('npm run test:slow fails if a test fails', async () => {
  const { exitCode, projects } = await runWithFailingTest('test:slow');
  expect(projects).toEqual(['slow']);
  expect(exitCode).toBe(1);
});

test('tests without their program are listed as not run, with what to install', async () => {
  const { exitCode, output } = await runVitest('vitest run', 'not-run.config.ts');
  expect(output).toContain('1 passed | 2 skipped');
  expect(output).toContain(`Not run: 2 tests

Install the program.
  test/support/commands/not-run.ts > one that needs a program

Install the other program.
  test/support/commands/not-run.ts > all that need another > of them
`);
  expect(exitCode).toBe(0);
});

test('in CI, tests without their program fail', async () => {
  const env = { CI: 'true' };
  const { exitCode, output } = await runVitest('vitest run', 'not-run.config.ts', env);
  expect(output).toContain('Error: Not run: Install the program.');
  expect(output).toContain('Error: Not run: Install the other program.');
  expect(exitCode).toBe(1);
});
