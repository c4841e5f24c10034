import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inject } from 'vitest';
import { endWithParent } from '../servers/end-with-parent.ts';
import { freePort } from '../servers/free-port.ts';
import { isRunning } from '../servers/server.ts';
import { executableOf } from './executable.ts';
import { driveFirefox, type Firefox } from './firefox-driver.ts';
import { connectMarionette, type Marionette } from './marionette.ts';

const START_TIMEOUT_MS = 300_000;
const STOP_TIMEOUT_MS = 60_000;
const POLL_MS = 50;

/**
 * A headless Firefox with a fresh profile and the extension loaded as a temporary add-on, as
 * `about:debugging` loads it.
 * @param folder the unpacked extension, its manifest with an id; by default the one just built
 */
export function launchFirefoxWithExtension(
  folder = inject('firefoxExtensionFolder'),
): Promise<Firefox> {
  return launch(executableOf('firefox'), folder);
}

async function launch(executablePath: string, folder: string): Promise<Firefox> {
  const uuid = randomUUID();
  const addonId = await readAddonId(folder);
  const port = await freePort();
  const profile = await mkdtemp(join(tmpdir(), 'curt-firefox-'));
  await writeFile(
    join(profile, 'user.js'),
    preferences({
      'marionette.port': port,
      'extensions.webextensions.uuids': JSON.stringify({ [addonId]: uuid }),
      // Firefox makes no requests of its own during tests.
      'app.update.disabledForTesting': true,
      'browser.shell.checkDefaultBrowser': false,
      'browser.aboutwelcome.enabled': false,
      'captivedetect.canonicalURL': '',
      'datareporting.policy.dataSubmissionEnabled': false,
      'extensions.getAddons.cache.enabled': false,
      'network.captive-portal-service.enabled': false,
      'network.connectivity-service.enabled': false,
      'toolkit.telemetry.enabled': false,
    }),
  );
  const child = spawn(
    executablePath,
    [
      '--headless',
      '--marionette',
      '--remote-allow-system-access',
      '--no-remote',
      '--profile',
      profile,
    ],
    { stdio: 'ignore' },
  );
  const release = endWithParent(child);

  async function stop(marionette?: Marionette) {
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    if (isRunning(child)) {
      const exited = once(child, 'exit');
      if (marionette) await marionette.send('Marionette:Quit').catch(() => child.kill());
      else child.kill();
      await exited;
    }
    clearTimeout(timer);
    marionette?.close();
    release();
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  }

  let marionette: Marionette | undefined;
  try {
    marionette = await connectWhenUp(child, port);
    await marionette.send('WebDriver:NewSession', { capabilities: {} });
    await marionette.send('Addon:Install', { path: folder, temporary: true });
    const driver = await driveFirefox(marionette, { addonId, origin: `moz-extension://${uuid}` });
    await driver.closeTab('welcome.html');
    return { ...driver, close: () => stop(marionette) };
  } catch (error) {
    await stop(marionette);
    throw error;
  }
}

/** Marionette opens its port some time after the start, without a signal. */
async function connectWhenUp(child: ChildProcess, port: number): Promise<Marionette> {
  let failed: Error | undefined;
  child.once('error', (error) => {
    failed = error;
  });
  const end = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < end) {
    if (failed) throw failed;
    if (!isRunning(child)) throw new Error(`Firefox ended with ${child.exitCode} while starting.`);
    try {
      return await connectMarionette(port);
    } catch {
      await sleep(POLL_MS);
    }
  }
  throw new Error(`Firefox did not open its port within ${START_TIMEOUT_MS} ms.`);
}

async function readAddonId(folder: string): Promise<string> {
  const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8'));
  const id = manifest.browser_specific_settings?.gecko?.id;
  if (typeof id !== 'string') throw new Error('The manifest for Firefox names no add-on id.');
  return id;
}

function preferences(values: Record<string, string | number | boolean>): string {
  return Object.entries(values)
    .map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`)
    .join('');
}
