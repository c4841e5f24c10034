import { type RunnerTestCase, type RunnerTestSuite, TestRunner } from 'vitest';
import { type Command, findOrInstallCommand } from './find-command.ts';
import { MissingProgram } from './missing-program.ts';

declare module 'vitest' {
  export interface TaskMeta {
    notRun?: string;
  }
}

let currentFile: RunnerTestSuite | undefined;

/** For the setup file: the file whose hooks and tests run from now on. */
export function rememberFile(file: RunnerTestSuite): void {
  currentFile = file;
}

/**
 * Ends the current test as not run, or in `beforeAll` all tests of the file. The run's last lines name
 * them. In CI, they fail.
 *
 * @param reason a sentence that says what to install, or which command does without
 */
export function notRun(reason: string): never {
  const test = TestRunner.getCurrentTest<RunnerTestCase | undefined>();
  const tests = test ? [test] : currentFile ? testsOf(currentFile) : [];
  if (!process.env.CI) {
    // The reason given to `skip` is lost in `beforeAll`.
    for (const each of tests) each.meta.notRun ??= reason;
    tests[0]?.context.skip(reason);
  }
  throw new Error(`Not run: ${reason}`);
}

/** Path of a command. Without it, the test that asks is not run. */
export async function needCommand(command: Command): Promise<string> {
  try {
    return await findOrInstallCommand(command);
  } catch (error) {
    return error instanceof MissingProgram ? notRun(error.message) : Promise.reject(error);
  }
}

/** For tests of files and users that only root can make. */
export function needRoot(): void {
  if (process.platform === 'linux' && process.getuid?.() === 0) return;
  notRun('These tests need root on Linux, such as in a container; `npm test` needs no root.');
}

function testsOf(suite: RunnerTestSuite): RunnerTestCase[] {
  return suite.tasks.flatMap((task) => (task.type === 'suite' ? testsOf(task) : [task]));
}
