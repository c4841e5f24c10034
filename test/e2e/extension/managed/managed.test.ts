import { randomUUID } from 'node:crypto';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { newFolder } from '../../../support/new-folder.ts';
import { needRoot } from '../../../support/not-run.ts';
import { launchChromiumWithExtension, unpackedId } from '../../support/browser/chromium.ts';
import { launchFirefoxWithExtension } from '../../support/browser/firefox.ts';
import { clickOn } from '../../support/extension/extension-fixture.ts';
import { startAppServer } from '../../support/servers/app-server.ts';
import {
  CHROMIUM_POLICIES,
  examplePolicy,
  FIREFOX_POLICIES,
  TEST_ADDON,
  writePolicy,
} from './policy-files.ts';

/** A copy of the extension, so that no other test's extension has the policy. */
async function copyExtension(folder: string): Promise<string> {
  const copy = await newFolder();
  await cp(folder, copy, { recursive: true });
  return copy;
}

async function startForTest() {
  const server = await startAppServer();
  onTestFinished(async () => {
    await server.stop();
  });
  return server;
}

/** The name and state of each control of the settings that can be disabled. */
const READ_CONTROLS = `Object.fromEntries(
  [...document.querySelectorAll('input[name], select[name]')].map((control) => [
    control.name,
    { value: control.type === 'checkbox' ? control.checked : control.value, isDisabled: control.disabled },
  ]),
)`;
type Controls = Record<string, { value: string | boolean; isDisabled: boolean }>;

describe('a policy of the browser', () => {
  beforeAll(() => needRoot());

  test('sets server and settings in Chromium, and its changes apply without a restart', async () => {
    const server = await startForTest();
    const folder = await copyExtension(inject('chromeExtensionFolder'));
    const path = join(CHROMIUM_POLICIES, `curt-test-${randomUUID()}.json`);
    const policy = (changes: Record<string, unknown>) =>
      examplePolicy('abcdefghijklmnopabcdefghijklmnop', { as: unpackedId(folder), ...changes });
    const remove = await writePolicy(path, await policy({ server: server.baseUrl }));
    onTestFinished(remove);
    const chromium = await launchChromiumWithExtension(folder, { keepsFirstSteps: true });
    onTestFinished(() => chromium.close());
    const { extensionId } = chromium;

    const welcome = await chromium.findPage((target) => target.url().endsWith('/welcome.html'));
    await welcome.waitForSelector('input[name="page"]');
    await welcome.waitForFunction(() => !document.querySelector('input[name="server"]'), {
      timeout: 120_000,
    });
    expect(extensionId).toBe(unpackedId(folder));
    expect(await welcome.$eval('.head .intro', (intro) => intro.textContent)).toContain(
      `Your organization has set up the server ${new URL(server.baseUrl).host}.`,
    );
    await clickOn(welcome, 'form .primary');
    await welcome.waitForSelector('a.short-url');
    const shortUrl = await welcome.$eval('a.short-url', (link) => (link as HTMLAnchorElement).href);
    expect(new URL(shortUrl).port).toBe(new URL(server.baseUrl).port);

    const options = await chromium.openExtensionPage('options.html');
    await options.waitForSelector('select[name="copyFormat"]');
    const controls = () => options.evaluate(READ_CONTROLS) as Promise<Controls>;
    await expect.poll(controls).toMatchObject({
      server: { value: server.baseUrl, isDisabled: true },
      warnAboutSecrets: { value: true, isDisabled: true },
      copyFormat: { value: 'markdown', isDisabled: true },
      skipPopup: { value: false, isDisabled: false },
      copyAtOnce: { value: true, isDisabled: false },
    });
    const text = () => options.evaluate(() => document.body.innerText);
    expect((await text()).split('Set by your organization.')).toHaveLength(4);

    await writeFile(path, await policy({ server: 'not an address', skipPopup: true }));
    await expect.poll(text).toContain('They are ignored: server.');
    await expect.poll(controls).toMatchObject({
      server: { value: 'http://localhost:2878', isDisabled: false },
      skipPopup: { value: true, isDisabled: true },
    });
    await remove();
    await expect.poll(text).not.toContain('Set by your organization.');
    await expect.poll(controls).toMatchObject({
      skipPopup: { value: false, isDisabled: false },
      copyFormat: { value: 'url', isDisabled: false },
    });
  });

  test('sets server and settings in Firefox', async () => {
    const server = await startForTest();
    const folder = await copyExtension(inject('firefoxExtensionFolder'));
    const manifestPath = join(folder, 'manifest.json');
    const manifest = JSON.parse(await readFile(manifestPath, 'utf8'));
    expect(manifest.storage).toBeUndefined();
    const id = `${randomUUID()}${TEST_ADDON}`;
    manifest.browser_specific_settings.gecko.id = id;
    await writeFile(manifestPath, JSON.stringify(manifest));
    const remove = await writePolicy(
      join(FIREFOX_POLICIES, 'policies.json'),
      await examplePolicy('curt@curt.example', { as: id, server: server.baseUrl, nonsense: 1 }),
    );
    onTestFinished(remove);
    const firefox = await launchFirefoxWithExtension(folder);
    onTestFinished(() => firefox.close());

    const options = await firefox.openTab('options.html');
    await options.waitFor(`return document.querySelector('select[name="copyFormat"]')`);
    const controls = () => options.execute<Controls>(`return ${READ_CONTROLS}`);
    await expect.poll(controls).toMatchObject({
      server: { value: server.baseUrl, isDisabled: true },
      warnAboutSecrets: { value: true, isDisabled: true },
      copyFormat: { value: 'markdown', isDisabled: true },
      skipPopup: { value: false, isDisabled: false },
    });
    const text = () => options.execute<string>('return document.body.innerText');
    await expect.poll(text).toContain('They are ignored: nonsense.');
    expect((await text()).split('Set by your organization.')).toHaveLength(4);

    const welcome = await firefox.openTab('welcome.html');
    await welcome.waitFor(`return document.querySelector('input[name="page"]')`);
    expect(
      await welcome.execute(`return document.querySelector('input[name="server"]')`),
    ).toBeNull();
  });
});
