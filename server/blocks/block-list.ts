import type { BigIntStats } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { every, systemTime, type Time } from '../../shared/time.ts';
import { hostAndDomains, hostOfUrl, parseHost } from '../lib/host-name.ts';
import { SettingsError } from '../lib/settings.ts';
import { createYielder } from '../lib/yield-to-others.ts';
import type { Link } from '../store/link.ts';
import { hasUrl } from '../store/lists/link-filter.ts';
import type { Store } from '../store/store.ts';

/**
 * What is blocked: by administrators, and by the file `BLOCKED_HOSTS`.
 *
 * Nothing is stored with links: whether one is blocked is decided at each visit. So a block of a host is in effect at once, however many links there are.
 */
export class BlockList {
  readonly #store: Pick<Store, 'blocks'>;
  readonly #file: BlockedHostsFile | undefined;

  constructor(store: Pick<Store, 'blocks'>, file?: BlockedHostsFile) {
    this.#store = store;
    this.#file = file;
  }

  isBlocked(link: Link): boolean {
    const { blocks } = this.#store;
    if (blocks.link.size > 0 && blocks.link.has(link.id)) return true;
    if (blocks.account.size > 0 && blocks.account.has(link.accountId)) return true;
    return this.#blocksHosts && hasUrl(link, (url) => this.blocksHost(hostOfUrl(url)));
  }

  /** @param host as `hostOfUrl` returns it */
  blocksHost(host: string): boolean {
    if (!this.#blocksHosts) return false;
    for (const each of hostAndDomains(host)) {
      if (this.#store.blocks.host.has(each) || this.#file?.has(each)) return true;
    }
    return false;
  }

  get #blocksHosts(): boolean {
    return this.#store.blocks.host.size > 0 || (this.#file?.size ?? 0) > 0;
  }
}

const POLL_MS = 1000;
/** How many lines a message names. */
const MAX_LINES_NAMED = 3;

type Options = {
  path: string;
  /** Called with a sentence if the file can't be read again, so that the last list stays in effect, or has lines that are skipped. */
  onWarning: (message: string) => void;
  /** Called with the number of hosts when a changed file has been read. */
  onReload?: (hosts: number) => void;
  time?: Time;
};

/**
 * The hosts of `BLOCKED_HOSTS`: one per line, `#` begins a comment. Other lines are skipped. Read again when the file has
 * changed. Its state is compared every second, because file system events are lost on network drives,
 * and when the file is replaced.
 */
export class BlockedHostsFile {
  readonly #path: string;
  readonly #onWarning: (message: string) => void;
  readonly #onReload: (hosts: number) => void;
  readonly #endPolls: () => void;
  #hosts: ReadonlySet<string>;
  /** The version of the file that was read last. */
  #version: string;
  /** The version of the file that the last warning was about. */
  #warnedVersion: string | undefined;
  #checking: Promise<void> | undefined;
  /** A sentence on lines that were skipped when the file was opened. */
  readonly openingWarning: string | undefined;

  private constructor(
    { path, onWarning, onReload = () => {}, time = systemTime }: Options,
    read: ReadFile,
  ) {
    this.#path = path;
    this.#onWarning = onWarning;
    this.#onReload = onReload;
    this.#hosts = read.hosts;
    this.#version = read.version;
    this.openingWarning = read.skipped && `BLOCKED_HOSTS: ${read.skipped}`;
    this.#endPolls = every(time, POLL_MS, () => this.check());
  }

  /** @throws SettingsError if the file can't be read */
  static async open(options: Options): Promise<BlockedHostsFile> {
    try {
      return new BlockedHostsFile(options, await readHosts(options.path));
    } catch (error) {
      const problem = explain(options.path, error);
      throw new SettingsError(`BLOCKED_HOSTS: ${problem} Correct it, or unset BLOCKED_HOSTS.`);
    }
  }

  has(host: string): boolean {
    return this.#hosts.has(host);
  }

  get size(): number {
    return this.#hosts.size;
  }

  /** Reads the file again if it has changed. */
  check(): Promise<void> {
    this.#checking ??= this.#readIfChanged().finally(() => {
      this.#checking = undefined;
    });
    return this.#checking;
  }

  close(): void {
    this.#endPolls();
  }

  async #readIfChanged(): Promise<void> {
    const version = await stat(this.#path, { bigint: true }).then(versionOf, codeOf);
    if (version === this.#version) {
      this.#warnedVersion = undefined;
      return;
    }
    try {
      const { hosts, skipped, version } = await readHosts(this.#path);
      this.#version = version;
      this.#warnedVersion = undefined;
      // Not one host among other lines: what writes the file has probably failed.
      if (skipped && hosts.size === 0) {
        this.#onWarning(`BLOCKED_HOSTS: ${skipped} ${this.#lastList}`);
        return;
      }
      if (skipped) this.#onWarning(`BLOCKED_HOSTS: ${skipped}`);
      this.#hosts = hosts;
      this.#onReload(hosts.size);
    } catch (error) {
      if (version === this.#warnedVersion) return;
      this.#warnedVersion = version;
      this.#onWarning(`BLOCKED_HOSTS: ${explain(this.#path, error)} ${this.#lastList}`);
    }
  }

  get #lastList(): string {
    return `The previous list of ${this.#hosts.size} hosts stays in effect.`;
  }
}

type ReadFile = {
  hosts: Set<string>;
  version: string;
  /** A sentence on lines that are no hosts. */
  skipped: string | undefined;
};

async function readHosts(path: string): Promise<ReadFile> {
  const file = await open(path, 'r');
  try {
    // Of the file that is read, even if it is replaced meanwhile.
    const version = versionOf(await file.stat({ bigint: true }));
    const bytes = await file.readFile();
    const { hosts, invalid } = await parseHosts(bytes);
    const skipped = invalid.length > 0 ? describeSkipped(path, invalid) : undefined;
    return { hosts, version, skipped };
  } finally {
    await file.close();
  }
}

/** @returns also the numbers of the lines that are no hosts */
async function parseHosts(bytes: Buffer): Promise<{ hosts: Set<string>; invalid: number[] }> {
  const lines = new TextDecoder().decode(bytes).split('\n');
  const hosts = new Set<string>();
  const invalid: number[] = [];
  const yieldToOthers = createYielder();
  for (const [index, line] of lines.entries()) {
    const text = (line.split('#', 1)[0] ?? '').trim();
    const host = text === '' ? '' : parseHost(text);
    if (host === undefined) invalid.push(index + 1);
    else if (host !== '') hosts.add(host);
    await yieldToOthers();
  }
  return { hosts, invalid };
}

function describeSkipped(path: string, invalid: number[]): string {
  const named = invalid.slice(0, MAX_LINES_NAMED).join(', ');
  const more =
    invalid.length > MAX_LINES_NAMED ? ` and ${invalid.length - MAX_LINES_NAMED} more` : '';
  return `in ${path}, each line must be a host, such as example.com. Others are skipped: line ${named}${more}.`;
}

function explain(path: string, error: unknown): string {
  const code = codeOf(error);
  if (code === 'ENOENT') return `there is no file ${path}.`;
  return `${path} cannot be read (${code}).`;
}

/** Differs for every file that was written or replaced. */
function versionOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join(' ');
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? String(error);
}
