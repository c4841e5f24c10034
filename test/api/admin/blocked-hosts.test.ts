import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { BlockedHostsFile } from '../../../server/blocks/block-list.ts';
import { ManualTime } from '../../support/manual-time.ts';
import { newFolder } from '../../support/new-folder.ts';
import { makeLink, shorten, startService } from '../support.ts';
import { visit } from '../visits/visiting.ts';

/** How often the file is read if it has changed. */
const POLL_MS = 1000;

async function writeHosts(text: string): Promise<string> {
  const folder = await newFolder();
  const path = join(folder, 'hosts.txt');
  await writeFile(path, text);
  return path;
}

const replace = async (path: string, text: string) => {
  await writeFile(`${path}.new`, text);
  await rename(`${path}.new`, path);
};

async function openHosts(path: string) {
  const warnings: string[] = [];
  const file = await BlockedHostsFile.open({
    path,
    onWarning: (message) => warnings.push(message),
    // Tests call `check` themselves.
    time: new ManualTime(),
  });
  onTestFinished(() => file.close());
  return { file, warnings };
}

test('a host in the file is blocked, with its subdomains; a change is in effect shortly after', async () => {
  const path = await writeHosts('');
  const service = await startService({ env: { BLOCKED_HOSTS: path } });
  await makeLink(service, { customAlias: 'there', originalUrl: 'https://a.evil.example/' });
  expect((await visit(service, '/there')).statusCode).toBe(302);
  await writeFile(path, '# phishing\n\n  Evil.Example.  # reported today\r\n*.other.example\r\n');
  const status = async () => (await visit(service, '/there')).statusCode;
  await service.clock.advance(POLL_MS);
  expect(await status()).toBe(451);
  const refused = await shorten(service, { originalUrl: 'https://evil.example' });
  expect([refused.statusCode, refused.json().code]).toEqual([400, 'blocked_url']);
  expect((await shorten(service, { originalUrl: 'other.example' })).statusCode).toBe(400);
  await replace(path, 'other.example\n');
  await service.clock.advance(POLL_MS);
  expect(await status()).toBe(302);
});

test('an IPv4 address in the file is blocked in IPv6 addresses, too', async () => {
  const path = await writeHosts('[::ffff:192.0.2.1]\n');
  const service = await startService({ env: { BLOCKED_HOSTS: path } });
  for (const host of ['192.0.2.1', '[::192.0.2.1]', '[64:ff9b::c000:201]']) {
    const refused = await shorten(service, { originalUrl: `http://${host}/` });
    expect([refused.statusCode, refused.json().code]).toEqual([400, 'blocked_url']);
  }
});

test('a line that is no host is skipped, at the start and later, with a warning in the log', async () => {
  const path = await writeHosts('a b\nevil.example\n');
  const service = await startService({ env: { BLOCKED_HOSTS: path } });
  const log = () => service.logLines.join('');
  expect(log()).toContain('Others are skipped: line 1.');
  const statusFor = async (originalUrl: string) =>
    (await shorten(service, { originalUrl })).statusCode;
  expect(await statusFor('https://evil.example')).toBe(400);
  await replace(path, 'evil.example\nhttps://x.example/\nother.example\n');
  await service.clock.advance(POLL_MS);
  expect(log()).toContain('Others are skipped: line 2.');
  expect(await statusFor('https://evil.example')).toBe(400);
  expect(await statusFor('https://other.example')).toBe(400);
});

describe('the list of hosts', () => {
  test('follows every kind of change of the file', async () => {
    const path = await writeHosts('one.example');
    const { file, warnings } = await openHosts(path);
    expect([file.has('one.example'), file.size]).toEqual([true, 1]);
    await writeFile(path, 'one.example\ntwo.example');
    await file.check();
    expect(file.size).toBe(2);
    await replace(path, 'six.example\ntwo.example');
    await file.check();
    expect([file.has('six.example'), file.has('one.example')]).toEqual([true, false]);
    expect(warnings).toEqual([]);
  });

  test('stays as it is while the file is missing or has no host but other lines', async () => {
    const path = await writeHosts('one.example\n');
    const { file, warnings } = await openHosts(path);
    await rm(path);
    for (let time = 0; time < 3; time++) await file.check();
    expect(file.has('one.example')).toBe(true);
    expect(warnings).toEqual([
      `BLOCKED_HOSTS: there is no file ${path}. The previous list of 1 hosts stays in effect.`,
    ]);
    await writeFile(path, 'a b\nhttp://x\nc.example:80\nd/e\n');
    for (let time = 0; time < 3; time++) await file.check();
    expect(warnings).toHaveLength(2);
    expect(warnings[1]).toContain(`in ${path}, each line must be a host`);
    expect(warnings[1]).toContain('line 1, 2, 3 and 1 more. The previous list of 1 hosts stays');
    expect(file.has('one.example')).toBe(true);
    await writeFile(path, 'two.example\n');
    await file.check();
    expect([file.has('two.example'), file.has('one.example')]).toEqual([true, false]);
  });

  test('says how many hosts a changed file has', async () => {
    const path = await writeHosts('one.example');
    const sizes: number[] = [];
    const file = await BlockedHostsFile.open({
      path,
      // The test checks by itself.
      time: new ManualTime(),
      onWarning: () => {},
      onReload: (hosts) => sizes.push(hosts),
    });
    onTestFinished(() => file.close());
    await file.check();
    await writeFile(path, 'one.example\ntwo.example');
    await file.check();
    await writeFile(path, '# none');
    await file.check();
    expect(sizes).toEqual([2, 0]);
  });

  test('can be long', async () => {
    const lines = Array.from({ length: 50_000 }, (_, index) => `host-${index}.evil.example`);
    const { file } = await openHosts(await writeHosts(lines.join('\n')));
    expect([file.size, file.has('host-49999.evil.example')]).toEqual([50_000, true]);
  });

  test('keeps the server from starting if the file is missing', async () => {
    const path = await writeHosts('');
    await rm(path);
    await expect(startService({ env: { BLOCKED_HOSTS: path } })).rejects.toThrow(
      /^BLOCKED_HOSTS: there is no file .*hosts\.txt\. Correct it, or unset/,
    );
  });
});
