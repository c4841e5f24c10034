import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

test('tests that fail end with an error, although they started PostgreSQL', () => {
  const cluster = join(import.meta.dirname, 'support/cluster.ts');
  const script = `await import(${JSON.stringify(cluster)}); process.exitCode = 3;`;
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script]);
  expect(status, `${stderr}`).toBe(3);
});
