import { spawnSync } from 'node:child_process';
import { chmod, chown, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openFolder } from '../store/support/folders.ts';
import { newFolder } from '../support/new-folder.ts';
import { needRoot } from '../support/not-run.ts';

const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
/** Permissions do not apply to root. */
const SERVER_USER = isRoot ? NOBODY : (process.getuid?.() ?? -1);

/** The error message of a server that cannot use a folder. */
function start(folder: string): string {
  const { status, stderr } = spawnSync(process.execPath, ['server/main.ts'], {
    env: { PORT: '0', STORE_URL: `file:${folder}` },
    encoding: 'utf8',
    uid: SERVER_USER,
    // It never starts listening. The machine can be busy.
    timeout: 50_000,
  });
  expect(status, stderr).toBe(1);
  return stderr;
}

const runsAs = `but the server runs as user ${SERVER_USER}`;

describe('an inaccessible data folder stops the server with its owner and advice:', () => {
  test('a folder that cannot be created', () => {
    expect(start('/curt-data')).toMatch(
      new RegExp(
        `^/curt-data cannot be used: / belongs to user 0 \\(root\\) and has mode \\d+, ${runsAs}.*mkdir -p '/curt-data' && chown ${SERVER_USER} '/curt-data', or set STORE_URL .*\n$`,
      ),
    );
  });

  test('a folder whose owner has no permission', async () => {
    const folder = await newFolder();
    if (isRoot) await chown(folder, NOBODY, NOBODY);
    await chmod(folder, 0o500);
    const message = start(folder);
    await chmod(folder, 0o700);
    expect(message).toContain(`${folder} belongs to user ${SERVER_USER}`);
    expect(message).toContain(`has mode 500, ${runsAs}`);
    expect(message).toContain(`chmod -R u+rwX '${folder}'`);
  });

  test.each(['700', '755'])("another user's folder with mode %s", async (mode) => {
    needRoot();
    const folder = await newFolder();
    await chmod(folder, Number.parseInt(mode, 8));
    const message = start(folder);
    expect(message).toContain(
      `${folder} cannot be used: ${folder} belongs to user 0 (root) and has mode ${mode}, ${runsAs}`,
    );
    expect(message).toContain(`chown -R ${NOBODY} '${folder}'`);
  });

  test.each(['lock', 'secret', 'journal-000001.jsonl'])(
    "one whose %s is another user's",
    async (name) => {
      needRoot();
      const folder = await newFolder();
      const store = await openFolder(folder);
      await store.secret();
      await store.close();
      await chmod(join(folder, 'lock'), 0o600);
      for (const file of ['.', ...(await readdir(folder))]) {
        const owner = file === name ? 0 : NOBODY;
        await chown(join(folder, file), owner, owner);
      }
      const message = start(folder);
      expect(message).toContain(
        `${folder} cannot be used: ${join(folder, name)} belongs to user 0 (root) and has mode 600, ${runsAs}`,
      );
      expect(message).toContain(`chown -R ${NOBODY} '${folder}'`);
    },
  );

  test('a folder whose lock file is read-only', async () => {
    needRoot();
    const folder = await newFolder();
    await chown(folder, NOBODY, NOBODY);
    await writeFile(join(folder, 'lock'), '', { mode: 0o644 });
    expect(start(folder)).toContain(`${join(folder, 'lock')} belongs to user 0 (root)`);
  });
});
