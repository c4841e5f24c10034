import { text } from 'node:stream/consumers';
import { CliError } from '../cli-error.ts';
import { printable } from './printable.ts';

/** Prompts for a secret on a terminal, or reads it from standard input. */
export async function readSecret(message: string): Promise<string> {
  if (!process.stdin.isTTY) return firstLine(await text(process.stdin));
  const { isCancel, password } = await import('@clack/prompts');
  const secret = await password({ message: printable(message), output: process.stderr });
  if (isCancel(secret)) throw new CliError('cancelled', 'Cancelled.');
  return secret;
}

function firstLine(input: string): string {
  return input.split(/\r?\n/, 1)[0] ?? '';
}
