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
