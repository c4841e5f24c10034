import { CliError, usageError } from '../cli-error.ts';
import { printable } from './printable.ts';

/** @throws CliError if the answer is no, or if there is no terminal to ask on */
export async function assertConfirmed(message: string): Promise<void> {
  if (!process.stdin.isTTY) throw usageError(`${message} Add --yes to do it.`);
  const { confirm } = await import('@clack/prompts');
  const answer = await confirm({
    message: printable(message),
    output: process.stderr,
    initialValue: false,
  });
  if (answer !== true) throw new CliError('cancelled', 'Cancelled.');
}
