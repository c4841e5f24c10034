import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { CDPSession, Page } from 'puppeteer-core';
import { findLayoutFaults } from './layout-faults.ts';

const AXE_FILE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const AXE_OPTIONS: RunOptions = {
  // The one rule of WCAG 2.2 AA that axe leaves out unless it is asked for.
  rules: { 'target-size': { enabled: true } },
  // Axe need not describe what passes: nothing reads it.
  resultTypes: ['violations'],
};

/** How a page may be looked at. */
const LOOKS = {
  light: { 'prefers-color-scheme': 'light' },
  dark: { 'prefers-color-scheme': 'dark' },
  'forced colours': { 'forced-colors': 'active' },
  'forced colours, dark': { 'forced-colors': 'active', 'prefers-color-scheme': 'dark' },
};
export type Look = keyof typeof LOOKS;

/** What axe finds against WCAG 2.2 AA and its own good practice, a line each; empty is good. */
export async function findViolations(page: Page): Promise<string[]> {
  // Evaluated, not added as a script: the page's policy would refuse that.
  if (!(await page.evaluate(() => 'axe' in globalThis))) {
    await page.evaluate(await readFile(AXE_FILE, 'utf8'));
  }
  const { violations } = await page.evaluate(
    (options) =>
      (globalThis as unknown as { axe: { run(options: RunOptions): Promise<AxeResults> } }).axe.run(
        options,
      ),
    AXE_OPTIONS,
  );
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${help}: ${html}\n${failureSummary}`),
  );
}

/**
 * What is wrong with a page as it stands, a line each; empty is good: what axe finds in light, dark
 * and forced colours, what moves though less motion is asked for, and what is cut off, at the
 * spacing of WCAG 1.4.12 too.
 */
export async function findFaults(page: Page): Promise<string[]> {
  const faults: string[] = [];
  for (const look of Object.keys(LOOKS) as Look[]) {
    await setLook(page, look);
    const found = [...(await findViolations(page)), ...(await page.evaluate(findUnforcedIcons))];
    faults.push(...found.map((fault) => `In ${look}: ${fault}`));
  }
  await emulate(page, { 'prefers-reduced-motion': 'reduce' });
  const moving = await page.evaluate(() => document.getAnimations().length);
  if (moving > 0) faults.push(`${moving} animations run though less motion is asked for`);
  await emulate(page, {});

  faults.push(...(await findLayoutFaults(page)));
  return faults;
}

/** Runs in the page. Drawings are the one thing that browsers do not force their colours on. */
function findUnforcedIcons(): string[] {
  if (!matchMedia('(forced-colors: active)').matches) return [];
  const probe = document.body.appendChild(document.createElement('span'));
  const forced = ['CanvasText', 'ButtonText', 'LinkText', 'GrayText'].map((name) => {
    probe.style.color = name;
    return getComputedStyle(probe).color;
  });
  probe.remove();
  return [...document.querySelectorAll('.icon')]
    .filter((icon) => !forced.includes(getComputedStyle(icon).color))
    .map((icon) => `${icon.outerHTML} has a colour of its own`);
}

export function setLook(page: Page, look: Look): Promise<void> {
  return emulate(page, LOOKS[look]);
}

/** One for each page: at its end what it emulates ends, too. */
const sessions = new WeakMap<Page, CDPSession>();

/** Puppeteer's own knows no forced colours. */
async function emulate(page: Page, features: Record<string, string>): Promise<void> {
  const session = sessions.get(page) ?? (await page.createCDPSession());
  sessions.set(page, session);
  await session.send('Emulation.setEmulatedMedia', {
    features: Object.entries({
      'forced-colors': 'none',
      'prefers-color-scheme': 'light',
      'prefers-reduced-motion': 'no-preference',
      ...features,
    }).map(([name, value]) => ({ name, value })),
  });
}
