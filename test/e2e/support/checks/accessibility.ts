import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { CDPSession, Page } from 'puppeteer-core';
import { findLayoutFaults } from './layout-faults.ts';

const AXE_FILE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const AXE_OPTIONS: RunOptions = {
  // The only WCAG 2.2 AA rule that axe disables by default.
  rules: { 'target-size': { enabled: true } },
  // Passing rules need no details.
  resultTypes: ['violations'],
};
/** The rules that look at colors. */
const COLOR_OPTIONS: RunOptions = {
  runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] },
  resultTypes: ['violations'],
};

/** How a page is displayed. */
const COLOR_MODES = {
  light: { 'prefers-color-scheme': 'light' },
  dark: { 'prefers-color-scheme': 'dark' },
  'forced colors': { 'forced-colors': 'active' },
  'forced colors, dark': { 'forced-colors': 'active', 'prefers-color-scheme': 'dark' },
};
export type ColorMode = keyof typeof COLOR_MODES;

/** Violations of WCAG 2.2 AA and axe's best practices, a line each. */
export function findViolations(page: Page): Promise<string[]> {
  return runAxe(page, AXE_OPTIONS);
}

async function runAxe(page: Page, options: RunOptions): Promise<string[]> {
  // Evaluated, since the page's CSP blocks added scripts.
  if (!(await page.evaluate(() => 'axe' in globalThis))) {
    await page.evaluate(await readFile(AXE_FILE, 'utf8'));
  }
  const { violations } = await page.evaluate(
    (given) =>
      (globalThis as unknown as { axe: { run(options: RunOptions): Promise<AxeResults> } }).axe.run(
        given,
      ),
    options,
  );
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${help}: ${html}\n${failureSummary}`),
  );
}

/**
 * Everything wrong with the page's current state, a line each: axe violations, icons that ignore forced
 * colors, motion despite reduced motion, and content that is cut off, also with the text spacing of
 * WCAG 1.4.12.
 */
export async function findFaults(page: Page): Promise<string[]> {
  await setColorMode(page, 'light');
  const faults = await findViolations(page);
  await setColorMode(page, 'forced colors');
  faults.push(...(await page.evaluate(findUnforcedIcons)));
  await emulate(page, { 'prefers-reduced-motion': 'reduce' });
  const moving = await page.evaluate(() => document.getAnimations().length);
  if (moving > 0) faults.push(`${moving} animations run though less motion is asked for`);
  await emulate(page, {});

  faults.push(...(await findLayoutFaults(page)));
  return faults;
}

/**
 * Colors that are hard to read in dark and in forced colors, a line each. All states share the colors of
 * a theme, so a few states show them; `findFaults` looks at light.
 */
export async function findColorFaults(page: Page): Promise<string[]> {
  const faults: string[] = [];
  for (const mode of ['dark', 'forced colors', 'forced colors, dark'] as const) {
    await setColorMode(page, mode);
    const violations = await runAxe(page, COLOR_OPTIONS);
    faults.push(...violations.map((fault) => `In ${mode}: ${fault}`));
  }
  await setColorMode(page, 'light');
  return faults;
}

/** Runs in the page. Browsers don't apply forced colors to drawings. */
function findUnforcedIcons(): string[] {
  const probe = document.body.appendChild(document.createElement('span'));
  const forced = ['CanvasText', 'ButtonText', 'LinkText', 'GrayText'].map((name) => {
    probe.style.color = name;
    return getComputedStyle(probe).color;
  });
  probe.remove();
  return [...document.querySelectorAll('.icon')]
    .filter((icon) => !forced.includes(getComputedStyle(icon).color))
    .map((icon) => `${icon.outerHTML} ignores forced colors`);
}

export function setColorMode(page: Page, mode: ColorMode): Promise<void> {
  return emulate(page, COLOR_MODES[mode]);
}

/** One session per page: emulation ends with its session. */
const sessions = new WeakMap<Page, CDPSession>();

/** Puppeteer's own method doesn't support forced colors. */
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
