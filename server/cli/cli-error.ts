import type { Failure, Success } from '../../shared/client/result.ts';

/** The exit codes of the command line. They are stable. See docs/cli.md. */
export const EXIT_CODES = {
  ok: 0,
  /** Anything that has no code of its own, such as an unknown alias. */
  failed: 1,
  /** The arguments are wrong, or name a file that cannot be read or written. */
  usage: 2,
  /** No response from a Curt server. */
  unreachable: 3,
  /** The token is missing, invalid or may not do this. */
  unauthorized: 4,
  /** A limit is reached or the server is busy: the same command can succeed later. */
  limited: 5,
  /** A data folder or a backup is damaged. */
  damaged: 6,
} as const;

export type Exit = keyof typeof EXIT_CODES;

/** Further members of the JSON object. `report`: what the command has done or found nevertheless. */
type Details = Partial<Pick<Failure, 'issues' | 'suggestions' | 'retryAfterSeconds'>> & {
  report?: unknown;
};

/** A command failed. The message tells the user what to do. */
export class CliError extends Error {
  override name = 'CliError';
  /** Machine-readable: a code of the API, or one of the command line. */
  readonly code: string;
  readonly exit: Exit;
  readonly details: Details;

  constructor(code: string, message: string, exit: Exit = 'failed', details: Details = {}) {
    super(message);
    this.code = code;
    this.exit = exit;
    this.details = details;
  }

  get exitCode(): number {
    return EXIT_CODES[this.exit];
  }
}

/** The arguments are wrong. */
export function usageError(message: string, code = 'usage'): CliError {
  return new CliError(code, message, 'usage');
}

/** Codes that have an exit code of their own. */
const EXITS: { [code in Failure['code']]?: Exit } = {
  invalid_request: 'usage',
  invalid_url: 'usage',
  conflicting_expiry: 'usage',
  expires_in_past: 'usage',
  timeout: 'unreachable',
  unreachable: 'unreachable',
  gateway_error: 'unreachable',
  redirected: 'unreachable',
  not_curt: 'unreachable',
  invalid_token: 'unauthorized',
  token_required: 'unauthorized',
  insufficient_scope: 'unauthorized',
  account_suspended: 'unauthorized',
  rate_limited: 'limited',
  account_limit: 'limited',
  anonymous_limit: 'limited',
  quota_exceeded: 'limited',
  busy: 'limited',
  store_unavailable: 'limited',
  store_full: 'limited',
};

/**
 * Returns the success of a request.
 *
 * @throws CliError if it failed
 */
export function succeed<T>(result: Success<T> | Failure): Success<T> {
  if (result.ok) return result;
  const { code, message, issues, suggestions, retryAfterSeconds } = result;
  throw new CliError(code, message, EXITS[code] ?? 'failed', {
    ...(issues && { issues }),
    ...(suggestions && { suggestions }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  });
}
