import { type Logger, type LoggerOptions, pino } from 'pino';
import { systemTime } from '../../../../shared/time.ts';
import type { Settings } from '../../../config.ts';
import { SettingsError } from '../../../lib/settings.ts';
import { MINUTE_MS } from '../../../lib/time.ts';
import { StoreUnavailableError } from '../../../store/store.ts';
import { type LogOutput, openOutput, toStream } from './log-output.ts';

/** About sixty lines. */
const BUFFER_CHARACTERS = 8 * 1024;
/** Maximum delay of a line. */
const FLUSH_MS = 500;

/** Destination of log lines, each with its line feed. */
export type LogStream = {
  write(line: string): void;
  /** Writes a frequent line that may be delayed. Keeps the order of all lines. @default write */
  writeSoon?(line: string): void;
  /** Goes on in a new file, after the present one was renamed. Does nothing on standard output. */
  reopen?(): void;
  /** Resolves once all lines are written. */
  written?(): Promise<void>;
};

/** Lines of a level from `warn` on, as pino writes them. */
const PROBLEM = /^\{"level":[456]0,/;

/**
 * Writes the log to standard output, or to a file; then problems also go to standard error. One write
 * per line would take about as long as the redirect that the line describes, so lines of `writeSoon`
 * are written in batches. A clean exit loses no line; a process that is killed loses at most those of
 * half a second.
 *
 * Nothing waits for whoever reads the log. Lines that nobody reads are lost, and the log says how many.
 *
 * @throws SettingsError if the file can't be opened
 */
export function openLog(file?: string, time = systemTime): LogStream {
  let reportedAt = Number.NEGATIVE_INFINITY;
  // On a full disk, for example, the server goes on.
  const report = ({ message }: Error) => {
    if (time.monotonic() - reportedAt < MINUTE_MS) return;
    reportedAt = time.monotonic();
    problems.write(`The log cannot be written, and lines may be lost. ${message}\n`);
  };
  let lost = 0;
  const sayLost = () => {
    if (lost === 0) return;
    const line = `{"level":40,"time":${time.now()},"lost":${lost},"msg":"lines of the log are lost, since nobody read them in time or the disk was full"}\n`;
    lost = 0;
    output.write(line);
  };
  const output = openDestination(file, {
    onError: report,
    onLost: (lines) => {
      lost += lines.split('\n').length - 1;
    },
    onRoom: sayLost,
  });
  const problems = toStream(process.stderr, NOT_REPORTED);
  let waiting = '';
  let cancel: (() => void) | undefined;
  const flush = () => {
    cancel?.();
    cancel = undefined;
    const lines = waiting;
    waiting = '';
    if (lines !== '') output.write(lines);
  };
  process.once('exit', flush);
  return {
    write(line) {
      flush();
      output.write(line);
      if (file !== undefined && PROBLEM.test(line)) problems.write(line);
    },
    writeSoon(line) {
      waiting += line;
      if (waiting.length >= BUFFER_CHARACTERS) flush();
      else cancel ??= time.after(FLUSH_MS, flush);
    },
    reopen() {
      flush();
      if (file !== undefined) output.reopen();
    },
    written() {
      flush();
      return output.written();
    },
  };
}

/** The log has the same lines. */
const NOT_REPORTED = { onError() {}, onLost() {}, onRoom() {} };

function openDestination(
  file: string | undefined,
  events: Parameters<typeof openOutput>[1],
): LogOutput {
  try {
    return openOutput(file, events);
  } catch (error) {
    throw new SettingsError(`LOG_FILE: ${file} cannot be written: ${(error as Error).message}.`);
  }
}

type Hooks = NonNullable<LoggerOptions['hooks']>;

type LoggedError = {
  type: string;
  code: string | undefined;
  errno: number | undefined;
  message: string;
  stack: string;
  cause?: LoggedError;
};

/**
 * Creates the log of the server. Fastify writes nothing to it.
 *
 * @param clock monotonic, in milliseconds
 */
export function createLog(
  { logLevel }: Pick<Settings, 'logLevel'>,
  stream: LogStream,
  clock: () => number,
): Logger {
  const options = {
    level: logLevel,
    // Omits the process id and the host name.
    base: null,
    serializers: { err: serializeError },
    hooks: repeatStoreErrorsEachMinute(clock),
  };
  return pino(options, stream);
}

/**
 * Serializes an error and its cause for the log; the cause of a failed write is, for example, `ENOSPC`.
 * Other properties are omitted, because errors of Node.js can contain private data such as URLs.
 */
function serializeError(error: NodeJS.ErrnoException): LoggedError {
  const { name, code, errno, message, stack = '', cause } = error;
  return {
    type: name,
    code,
    errno,
    message,
    stack,
    ...(cause instanceof Error && { cause: serializeError(cause) }),
  };
}

/**
 * Logs once a minute why the store cannot be used. Every request and many tasks meet the same error, so that
 * the log would otherwise grow by megabytes.
 *
 * @param clock monotonic, in milliseconds
 */
function repeatStoreErrorsEachMinute(clock: () => number): Hooks {
  const seen = new Set<string>();
  let since = Number.NEGATIVE_INFINITY;
  return {
    logMethod(args, log) {
      const [logged, message] = args as unknown as [{ err?: unknown }?, string?];
      const err = logged?.err;
      if (err instanceof StoreUnavailableError) {
        if (clock() - since >= MINUTE_MS) {
          since = clock();
          seen.clear();
        }
        const { size } = seen;
        const { cause } = err;
        seen.add(`${message} ${err.message} ${cause instanceof Error && cause.message}`);
        if (seen.size === size) return;
      }
      log.apply(this, args);
    },
  };
}
