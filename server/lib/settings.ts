import { readFileSync } from 'node:fs';
import { trimText } from '../../shared/text.ts';

/** The settings are invalid. The message is meant for the operator. */
export class SettingsError extends Error {
  override name = 'SettingsError';
}

/** Whether `STORE_URL` names a PostgreSQL database. */
export function isPostgresUrl(url: string): boolean {
  return /^postgres(ql)?:\/\/./.test(url);
}

/** Environment variables by name. */
export type Variables = Record<string, string | undefined>;

/** Node.js reads it, too, as it is. */
const READ_BY_NODE = 'UV_THREADPOOL_SIZE';

/** Docker's `--env-file`, Kubernetes and systemd pass quotes on, which a shell would remove. */
const QUOTES = new Map([
  ['"', '"'],
  ["'", "'"],
  ['“', '”'],
  ['„', '“'],
  ['‘', '’'],
]);

/**
 * Reads environment variables, without white space, byte order marks and carriage returns at their ends, and
 * without quotes around the whole value. An empty variable counts as unset.
 *
 * @param secrets variables whose value can be in a file, as Docker and Kubernetes mount secrets:
 * `ADMIN_TOKEN_FILE` names the file with the value of `ADMIN_TOKEN`
 * @throws SettingsError with one sentence for each file that can't be used
 */
export function readVariables(env: Variables, secrets: string[]): Variables {
  const read: Variables = {};
  for (const [name, value = ''] of Object.entries(env)) {
    const clean = name === READ_BY_NODE ? trimText(value) : unquote(trimText(value));
    if (clean !== '') read[name] = clean;
  }
  const problems: string[] = [];
  for (const name of secrets) {
    const file = read[`${name}_FILE`];
    if (file === undefined) continue;
    const { value, problem } =
      read[name] === undefined
        ? readValue(file)
        : { problem: `and ${name} are both set. Unset one of them.` };
    if (problem !== undefined) problems.push(`${name}_FILE ${problem}`);
    read[name] = value;
  }
  if (problems.length > 0) throw new SettingsError(problems.join('\n'));
  return read;
}

function readValue(file: string): { value?: string; problem?: string } {
  try {
    const value = unquote(trimText(readFileSync(file, 'utf8')));
    return value === '' ? { problem: `names ${file}, which is empty.` } : { value };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return {
      problem: `names ${file}, ${code === 'ENOENT' ? 'which does not exist' : `which cannot be read (${code})`}.`,
    };
  }
}

function unquote(value: string): string {
  const isQuoted = value.length >= 2 && QUOTES.get(value.charAt(0)) === value.at(-1);
  return isQuoted ? trimText(value.slice(1, -1)) : value;
}
