import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { newFolder } from '../support/new-folder.ts';
import { needCommand } from '../support/not-run.ts';

const EXAMPLE = join(import.meta.dirname, '../../docs/examples/curt.service');
/** Of 10. `systemd-analyze security` calls everything below 5 OK; most services have 9. */
const MAX_EXPOSURE = 2;

const run = promisify(execFile);

/** The example with the Node.js of this machine, because systemd checks that the file exists. */
async function writeUnit(change = (unit: string) => unit): Promise<string> {
  const folder = await newFolder();
  const unit = await readFile(EXAMPLE, 'utf8');
  expect(unit).toContain('ExecStart=/usr/bin/node server/start.js\n');
  const path = join(folder, 'curt.service');
  await writeFile(path, change(unit.replace('/usr/bin/node', process.execPath)));
  return path;
}

test('systemd accepts the unit without a complaint', async () => {
  const systemdAnalyze = await needCommand('systemd-analyze');
  const verify = async (unit: string) => {
    const { stdout, stderr } = await run(systemdAnalyze, ['verify', '--man=no', unit]);
    return stdout + stderr;
  };
  expect(await verify(await writeUnit())).toBe('');
  const misspelled = await writeUnit((unit) => unit.replace('ProtectHome=', 'ProtectHouse='));
  expect(await verify(misspelled)).toMatch(/Unknown key( name)? 'ProtectHouse'/);
});

test('the unit keeps the server away from everything that it does not need', async () => {
  const systemdAnalyze = await needCommand('systemd-analyze');
  const unit = await writeUnit();
  const { stdout } = await run(systemdAnalyze, ['security', '--offline=true', '--no-pager', unit]);
  const [, exposure] = /Overall exposure level for curt\.service: ([\d.]+)/.exec(stdout) ?? [];
  expect(Number(exposure)).toBeLessThanOrEqual(MAX_EXPOSURE);
});
