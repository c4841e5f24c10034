import type { LoggerOptions } from 'pino';
import { MINUTE_MS } from '../../../lib/durations.ts';
import { StoreUnavailableError } from '../../../store/store.ts';

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
 * Serializes an error and its cause for the log; the cause of a failed write is, for example, `ENOSPC`.
 * Other properties are omitted, because errors of Node.js can contain private data such as URLs.
 */
export function serializeError(error: NodeJS.ErrnoException): LoggedError {
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
export function repeatStoreErrorsEachMinute(clock: () => number): Hooks {
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
