import { accessSync, constants, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { MissingProgram } from '../../../support/missing-program.ts';
import { installBrowser } from './install-browser.ts';

/** `headless` is Chromium without windows, extensions or anything else around its pages. */
export type BrowserKind = 'chromium' | 'headless' | 'firefox';

type BrowserSearch = {
  /** What the error message tells the user to install. */
  name: string;
  /** The environment variable with the executable's path. It takes precedence. */
  variable: string;
  /** Commands to look for in `PATH`, best first. */
  commands: string[];
  /** Locations on macOS and Windows, best first. */
  places: string[];
};

const APPLICATIONS = ['/Applications', join(homedir(), 'Applications')];
const PROGRAMS = [
  process.env.PROGRAMFILES,
  process.env['PROGRAMFILES(X86)'],
  process.env.LOCALAPPDATA,
].filter((folder) => folder !== undefined);

const SEARCHES: Record<BrowserKind, BrowserSearch> = {
  chromium: {
    name: 'Chromium or Google Chrome',
    variable: 'CHROME_PATH',
    commands: [
      'chromium',
      'google-chrome-stable',
      'google-chrome',
      'chromium-browser',
      'microsoft-edge-stable',
      'microsoft-edge',
    ],
    places: [
      ...inEach(APPLICATIONS, 'Chromium.app/Contents/MacOS/Chromium'),
      ...inEach(APPLICATIONS, 'Google Chrome.app/Contents/MacOS/Google Chrome'),
      ...inEach(APPLICATIONS, 'Microsoft Edge.app/Contents/MacOS/Microsoft Edge'),
      ...inEach(PROGRAMS, 'Chromium/Application/chrome.exe'),
      ...inEach(PROGRAMS, 'Google/Chrome/Application/chrome.exe'),
      ...inEach(PROGRAMS, 'Microsoft/Edge/Application/msedge.exe'),
    ],
  },
  headless: {
    name: 'Chromium’s headless shell',
    variable: 'HEADLESS_SHELL_PATH',
    commands: ['chromium-headless-shell', 'chrome-headless-shell'],
    places: [],
  },
  firefox: {
    name: 'Firefox',
    variable: 'FIREFOX_PATH',
    commands: ['firefox-esr', 'firefox', 'firefox-developer-edition'],
    places: [
      ...inEach(APPLICATIONS, 'Firefox.app/Contents/MacOS/firefox'),
      ...inEach(APPLICATIONS, 'Firefox Developer Edition.app/Contents/MacOS/firefox'),
      ...inEach(PROGRAMS, 'Mozilla Firefox/firefox.exe'),
    ],
  },
};

/**
 * Path of the browser's executable: from its environment variable, else the first of the usual
 * locations, else newly installed.
 * @throws MissingProgram with one sentence that says what to install or which variable to set
 */
export async function findOrInstallBrowser(
  kind: BrowserKind,
  { env = process.env, places = SEARCHES[kind].places, install = installBrowser } = {},
): Promise<string> {
  const { name, variable } = SEARCHES[kind];
  const find = () => findBrowser({ ...SEARCHES[kind], places }, env);
  const found = find();
  if (found) return found;
  try {
    return await install(kind, find);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new MissingProgram(
      `These tests need ${name}, which was not found and could not be installed here (${reason}): install it, or set ${variable} to its executable. \`npm test\` needs no browser.`,
      { cause },
    );
  }
}

/**
 * The executable, or `undefined` if there is none.
 * @throws Error if the environment variable names something that can't be run: it was set on purpose.
 */
function findBrowser(
  { variable, commands, places }: BrowserSearch,
  env: NodeJS.ProcessEnv,
): string | undefined {
  const named = env[variable];
  if (named) {
    if (isExecutable(named)) return named;
    throw new Error(`${variable} is ${named}, where there is no executable file.`);
  }
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return [...commands.flatMap((command) => inEach(folders, command)), ...places].find(isExecutable);
}

function inEach(folders: string[], path: string): string[] {
  return folders.map((folder) => join(folder, path));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
