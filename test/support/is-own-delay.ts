/**
 * Whether this process was too busy to read the answer of the database in time, such as while it builds
 * the app. Calls that a test waits for fail nevertheless.
 */
export function isOwnDelay(error: unknown): boolean {
  return error instanceof Error && error.message === 'timeout expired';
}
