import { mkdir, open, readFile, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { parseJson } from '../../../shared/client/transport.ts';
import { quote } from '../../lib/quote.ts';
import { CliError } from '../cli-error.ts';
import { writePrivateFile } from '../write-private-file.ts';

/** A change takes milliseconds. */
const LOCK_MAX_MS = 10_000;
const LOCK_RETRY_MS = 20;

/** With what a newer version has added, which a change keeps. */
const tokensSchema = z.looseObject({
  token: z.string().optional(),
  adminToken: z.string().optional(),
});
export type Tokens = z.output<typeof tokensSchema>;

const credentialsSchema = z.looseObject({
  version: z.literal(1),
  /** The server that commands use by default: an origin. */
  server: z.string().optional(),
  /** Tokens by server, so that none is sent to another one. */
  servers: z.record(z.string(), tokensSchema),
});
export type Credentials = z.output<typeof credentialsSchema>;

/** `replace`: also if there is a token, or if another server is the default. */
export type SaveOptions = { replace: boolean };

/**
 * Reads the file with the tokens.
 *
 * @param warn called with a sentence if others can read the file
 * @throws CliError if the file has other content
 */
export async function readCredentials(
  path: string,
  warn: (text: string) => void,
): Promise<Credentials> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
    if (process.platform !== 'win32' && ((await stat(path)).mode & 0o077) !== 0) {
      warn(`Others can read your tokens. Run: chmod 600 ${quote(path)}`);
    }
  } catch (error) {
    // With HOME=/dev/null, as service managers set it, there is no such folder.
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) {
      return { version: 1, servers: {} };
    }
    throw new CliError('unreadable_credentials', `${path}: ${(error as Error).message}.`);
  }
  const credentials = credentialsSchema.safeParse(parseJson(text));
  if (credentials.success) return credentials.data;
  throw new CliError(
    'unreadable_credentials',
    `${path} was not written by this version of Curt. Move it away and run \`curt token\` again.`,
  );
}

/**
 * Stores tokens for a server.
 *
 * @returns whether they are stored: false if there is a token already, unless it is to be replaced
 */
export async function saveTokens(
  path: string,
  server: string,
  tokens: Tokens,
  { replace }: SaveOptions = { replace: false },
): Promise<boolean> {
  let isStored = false;
  await changeCredentials(path, (stored) => {
    const before = stored.servers[server];
    if (before?.token !== undefined && !replace) return undefined;
    isStored = true;
    return {
      ...stored,
      server: replace ? server : (stored.server ?? server),
      servers: { ...stored.servers, [server]: { ...before, ...tokens } },
    };
  });
  return isStored;
}

/** Removes the tokens for a server. If it was the default, another one is. */
export async function removeTokens(path: string, server: string): Promise<void> {
  await changeCredentials(path, (stored) => {
    const { [server]: _, ...servers } = stored.servers;
    const { server: before, ...others } = stored;
    const next = before === server ? Object.keys(servers)[0] : before;
    return { ...others, servers, ...(next !== undefined && { server: next }) };
  });
}

/**
 * Changes the file with the tokens, one command after the other: each one sees what others have stored.
 *
 * @param change gets what is stored now; returns undefined to leave it
 */
async function changeCredentials(
  path: string,
  change: (stored: Credentials) => Credentials | undefined,
): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 }).catch((error: Error) => {
    throw new CliError(
      'unwritable_credentials',
      `${path} cannot be written: ${error.message}. Set XDG_CONFIG_HOME to another folder, or CURT_TOKEN to a token`,
    );
  });
  const unlock = await lock(`${path}.lock`);
  try {
    const changed = change(await readCredentials(path, () => {}));
    if (changed) await writePrivateFile(path, `${JSON.stringify(changed, null, 2)}\n`);
  } finally {
    await unlock();
  }
}

/** Waits until no other command changes the file. */
async function lock(path: string): Promise<() => Promise<void>> {
  for (;;) {
    try {
      const file = await open(path, 'wx', 0o600);
      await file.close();
      return () => rm(path, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
    // A command that was killed has left it.
    if (Date.now() - mtimeMs > LOCK_MAX_MS) await rm(path, { force: true });
    else await delay(LOCK_RETRY_MS);
  }
}
