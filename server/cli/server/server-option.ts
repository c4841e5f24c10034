import type { Command } from 'commander';

/** The option of every command that talks to a server. */
export function withServer(command: Command): Command {
  return command.option('--server <url>', 'server to use, instead of the stored one');
}
