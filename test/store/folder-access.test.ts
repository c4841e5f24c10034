import { spawnSync } from 'node:child_process';
import { chmod, chown, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { newFolder } from './support/folders.ts';

const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
/** Root may use everything. */
const SERVER_USER = isRoot ? NOBODY : (process.getuid?.() ?? -1);

/** What the server says when it cannot start on a folder. */
function start(folder: string): string {
  const { status, stderr } = spawnSync(process.execPath, ['server/main.ts'], {
    env: { PORT: '0', STORE_URL: `file:${folder}` },
    encoding: 'utf8',
    uid: SERVER_USER,
    timeout: 10_000,
  });
  expect(status, stderr).toBe(1);
  return stderr;
}

const runsAs = `but the server runs as user ${SERVER_USER}`;

describe('a data folder that the server may not use stops the start with its owner and advice:', () => {
  test('one that cannot be made', () => {
    expect(start('/curt-data')).toMatch(
      new RegExp(
        `^/curt-data cannot be used: / belongs to user 0 \\(root\\) and has mode \\d+, ${runsAs}.*mkdir -p '/curt-data' && chown ${SERVER_USER} '/curt-data', or set STORE_URL .*\n$`,
      ),
    );
  });

  test('one that is closed to its own user', async () => {
    const folder = await newFolder();
    if (isRoot) await chown(folder, NOBODY, NOBODY);
    await chmod(folder, 0o500);
    const message = start(folder);
    await chmod(folder, 0o700);
    expect(message).toContain(`${folder} belongs to user ${SERVER_USER}`);
    expect(message).toContain(`has mode 500, ${runsAs}`);
    expect(message).toContain(`chmod -R u+rwX '${folder}'`);
  });

  test.runIf(isRoot).each(['700', '755'])("another user's of mode %s", async (mode) => {
    const folder = await newFolder();
    await chmod(folder, Number.parseInt(mode, 8));
    const message = start(folder);
    expect(message).toContain(
      `${folder} cannot be used: ${folder} belongs to user 0 (root) and has mode ${mode}, ${runsAs}`,
    );
    expect(message).toContain(`chown -R ${NOBODY} '${folder}'`);
  });

  test.runIf(isRoot).each(['lock', 'secret', 'journal-000001.jsonl'])(
    "one whose %s is another user's",
    async (name) => {
      const folder = await newFolder();
      await chown(folder, NOBODY, NOBODY);
      await writeFile(join(folder, name), '', { mode: 0o600 });
      const message = start(folder);
      expect(message).toContain(
        `${folder} cannot be used: ${join(folder, name)} belongs to user 0 (root) and has mode 600, ${runsAs}`,
      );
      expect(message).toContain(`chown -R ${NOBODY} '${folder}'`);
    },
  );

  test.runIf(isRoot)('one whose lock can be read alone', async () => {
    const folder = await newFolder();
    await chown(folder, NOBODY, NOBODY);
    await writeFile(join(folder, 'lock'), '', { mode: 0o644 });
    expect(start(folder)).toContain(`${join(folder, 'lock')} belongs to user 0 (root)`);
  });
});
