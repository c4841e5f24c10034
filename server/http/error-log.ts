type LoggedError = {
  type: string;
  code: string | undefined;
  errno: number | undefined;
  message: string;
  stack: string;
  cause?: LoggedError;
};

/**
 * An error as the log has it, with what caused it: a failed write says `ENOSPC` there. Further
 * properties are left out, since errors of Node's own carry what they failed on, as a URL.
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
