import { CliError } from '../cli-error.ts';

/** Other characters, such as a line break in the middle, can't be part of a header. */
const TOKEN = /^[\x21-\x7e]+$/;

/** A token, and where the user has put it. */
export type SourcedToken = {
  token: string;
  /** Such as `in CURT_TOKEN`. */
  source: string;
  /** The environment variable with the token. */
  variable?: 'CURT_TOKEN' | 'ADMIN_TOKEN';
};

/** Returns the token to send. @throws CliError if no server could have such a token */
export function checkToken({ token, source }: SourcedToken): string {
  const trimmed = token.trim();
  if (TOKEN.test(trimmed)) return trimmed;
  throw new CliError(
    'invalid_token',
    `The token ${source} has a space, a line break or another character that no token has. Copy the token again, and nothing else.`,
    'unauthorized',
  );
}
