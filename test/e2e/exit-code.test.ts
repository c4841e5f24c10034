import { expect, test } from 'vitest';
import { runWithFailingTest } from '../support/commands/run-command.ts';

test('npm run test:browsers fails if a test fails', async () => {
  const { exitCode, projects } = await runWithFailingTest('test:browsers');
  expect(projects).toEqual(['browsers']);
  expect(exitCode).toBe(1);
});
