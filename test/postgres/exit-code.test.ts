import { expect, test } from 'vitest';
import { runWithFailingTest } from '../support/commands/run-command.ts';

test('npm run test:services fails if a test of any of its projects fails, although PostgreSQL was started', async () => {
  const { exitCode, projects } = await runWithFailingTest('test:services');
  expect(projects.sort()).toEqual(['deploy', 'postgres']);
  expect(exitCode).toBe(1);
});

test('npm run test:all fails if a test fails, although PostgreSQL was started', async () => {
  // Without the other projects, whose setup is tested with the other commands.
  const { exitCode, projects } = await runWithFailingTest('test:all', '--project postgres');
  expect(projects).toEqual(['postgres']);
  expect(exitCode).toBe(1);
});
