/** The exit codes of the command line. They are stable. See docs/cli.md. */
export const EXIT_CODES = {
  ok: 0,
  /** Anything that has no code of its own, such as an unknown alias. */
  failed: 1,
  /** The arguments are wrong. */
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
