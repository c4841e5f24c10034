import Bowser from 'bowser';
import { LruMap } from 'toad-cache';
import { keyedHash } from '../core/keyed-hash.ts';
import { OTHER } from '../store/visits.ts';

/** Browsers send few different values. About 300 bytes each. */
const MAX_REMEMBERED = 2000;
/** Longer ones are made up. */
const MAX_CHARACTERS = 512;
const UNKNOWN = 'unknown';

/** Families without versions. `unknown` if nothing was sent, `other` if it is not known. */
export type UserAgent = {
  browser: string;
  system: string;
  device: 'desktop' | 'mobile' | 'tablet' | typeof OTHER;
  /** Stands for the whole text, among those that this process has seen. */
  hash: number;
};

const BROWSERS = new Set(Object.values(Bowser.BROWSER_MAP));
const SYSTEMS = new Set(Object.values(Bowser.OS_MAP));
const DEVICES = ['desktop', 'mobile', 'tablet'] as const;
/** Its devices are laptops, which the library does not classify. */
const CHROME_OS = 'Chrome OS';

/** Parses user agents, which takes about 20 µs, and remembers the latest. */
export class UserAgents {
  readonly #remembered = new LruMap<UserAgent>(MAX_REMEMBERED);
  readonly #salt: readonly [number, number];

  /** @param salt random */
  constructor(salt: readonly [number, number]) {
    this.#salt = salt;
  }

  get(text = ''): UserAgent {
    const remembered = this.#remembered.get(text);
    if (remembered) return remembered;
    const userAgent = { ...parse(text), hash: keyedHash(text, this.#salt[0], this.#salt[1]) };
    if (text.length <= MAX_CHARACTERS) this.#remembered.set(text, userAgent);
    return userAgent;
  }
}

function parse(text: string): Omit<UserAgent, 'hash'> {
  if (text === '') return { browser: UNKNOWN, system: UNKNOWN, device: OTHER };
  if (text.length > MAX_CHARACTERS) return { browser: OTHER, system: OTHER, device: OTHER };
  const { browser, os, platform } = Bowser.parse(text);
  const system = known(os.name, SYSTEMS);
  const device = DEVICES.find((name) => name === platform.type);
  return {
    browser: known(browser.name, BROWSERS),
    system,
    device: device ?? (system === CHROME_OS ? 'desktop' : OTHER),
  };
}

/** For some user agents the library returns a part of the text, which must not be stored. */
function known(name: string | undefined, names: Set<string>): string {
  return name !== undefined && names.has(name) ? name : OTHER;
}
