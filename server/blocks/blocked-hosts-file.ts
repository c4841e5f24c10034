import type { BigIntStats } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { parseHost } from '../lib/host-name.ts';
import { SettingsError } from '../lib/settings-error.ts';
import { createYielder } from '../lib/yield-to-others.ts';

const POLL_MS = 1000;
/** In a message. */
const MAX_LINES_NAMED = 3;

type Options = {
  path: string;
  /** Called with a sentence if the file can't be read again. The last list stays in effect. */
  onWarning: (message: string) => void;
  /** Called with the number of hosts when a changed file has been read. */
  onReload?: (hosts: number) => void;
  /** How often to look for changes. @default 1000 */
  pollMs?: number;
};

/**
 * The hosts of `BLOCKED_HOSTS`: one per line, `#` begins a comment. Read again when the file has
 * changed. Its state is compared every second, because file system events are lost on network drives,
 * and when the file is replaced.
 */
export class BlockedHostsFile {
  readonly #path: string;
  readonly #onWarning: (message: string) => void;
  readonly #onReload: (hosts: number) => void;
  readonly #timer: NodeJS.Timeout;
  #hosts: ReadonlySet<string>;
  /** Of the file that was read last, or whose lines are invalid. */
  #version: string;
  /** Of the last warning. */
  #warnedVersion: string | undefined;
  #checking: Promise<void> | undefined;

  private constructor(
    { path, onWarning, onReload = () => {}, pollMs = POLL_MS }: Options,
    read: ReadFile,
  ) {
    this.#path = path;
    this.#onWarning = onWarning;
    this.#onReload = onReload;
    this.#hosts = read.hosts;
    this.#version = read.version;
    this.#timer = setInterval(() => this.check(), pollMs).unref();
  }

  /** @throws SettingsError if the file is missing or invalid */
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
    clearInterval(this.#timer);
  }

  async #readIfChanged(): Promise<void> {
    const version = await stat(this.#path, { bigint: true }).then(versionOf, codeOf);
    if (version === this.#version) {
      this.#warnedVersion = undefined;
      return;
    }
    try {
      const read = await readHosts(this.#path);
      this.#hosts = read.hosts;
      this.#version = read.version;
      this.#warnedVersion = undefined;
      this.#onReload(this.#hosts.size);
    } catch (error) {
      // Other errors may be over the next time, as on a network drive.
      if (error instanceof InvalidLinesError) this.#version = version;
      if (version === this.#warnedVersion) return;
      this.#warnedVersion = version;
      this.#onWarning(
        `BLOCKED_HOSTS: ${explain(this.#path, error)} The previous list of ${this.#hosts.size} hosts stays in effect.`,
      );
    }
  }
}

type ReadFile = { hosts: Set<string>; version: string };

class InvalidLinesError extends Error {
  override name = 'InvalidLinesError';
}

async function readHosts(path: string): Promise<ReadFile> {
  const file = await open(path, 'r');
  try {
    // Of the file that is read, even if it is replaced meanwhile.
    const version = versionOf(await file.stat({ bigint: true }));
    const bytes = await file.readFile();
    return { hosts: await parseHosts(bytes), version };
  } finally {
    await file.close();
  }
}

async function parseHosts(bytes: Buffer): Promise<Set<string>> {
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
  if (invalid.length > 0) throw new InvalidLinesError(describeLines(invalid));
  return hosts;
}

function describeLines(invalid: number[]): string {
  const named = invalid.slice(0, MAX_LINES_NAMED).join(', ');
  const more =
    invalid.length > MAX_LINES_NAMED ? ` and ${invalid.length - MAX_LINES_NAMED} more` : '';
  return `each line must be a host, such as example.com. Others are: line ${named}${more}.`;
}

function explain(path: string, error: unknown): string {
  if (error instanceof InvalidLinesError) return `in ${path}, ${error.message}`;
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
