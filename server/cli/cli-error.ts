import type { Failure, Success } from '../../shared/client/result.ts';
import { EXIT_CODES, type Exit } from './exit-codes.ts';

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
  quota_exceeded: 'limited',
  busy: 'limited',
  store_unavailable: 'limited',
};

/**
 * The success of a request.
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
