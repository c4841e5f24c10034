import { text } from 'node:stream/consumers';
import { CliError, usageError } from '../cli-error.ts';
import type { Context } from '../context.ts';
import { printable } from './output.ts';

/** @throws CliError if the answer is no, or if there is no terminal to ask on */
export async function assertConfirmed(message: string): Promise<void> {
  if (!process.stdin.isTTY) throw usageError(`${message} Add --yes to do it.`);
  const { confirm } = await import('@clack/prompts');
  const answer = await confirm({
    message: printable(message),
    output: process.stderr,
    initialValue: false,
  });
  if (answer !== true) throw new CliError('cancelled', 'Canceled.');
}

/** Prompts for a secret on a terminal, or reads it from standard input. */
export async function readSecret(message: string): Promise<string> {
  if (!process.stdin.isTTY) return firstLine(await text(process.stdin));
  const { isCancel, password } = await import('@clack/prompts');
  const secret = await password({ message: printable(message), output: process.stderr });
  if (isCancel(secret)) throw new CliError('cancelled', 'Canceled.');
  return secret;
}

function firstLine(input: string): string {
  return input.split(/\r?\n/, 1)[0] ?? '';
}

export type Report = (done: number, total: number) => void;

/** Shows a bar on standard error, if that is a terminal, while a long task reports its progress. */
export async function withProgress<T>(
  { output }: Context,
  text: string,
  task: (report: Report) => Promise<T>,
): Promise<T> {
  if (!isShown(output.json)) return task(() => {});
  const message = printable(text);
  const { progress } = await import('@clack/prompts');
  const bar = progress({ max: 100, output: process.stderr });
  let percent = 0;
  bar.start(message);
  const report: Report = (done, total) => {
    const next = total === 0 ? 100 : Math.floor((done / total) * 100);
    if (next <= percent) return;
    bar.advance(next - percent, `${message} ${next} %`);
    percent = next;
  };
  return finish(bar, message, () => task(report));
}

/** Shows on standard error, if that is a terminal, that a task of unknown length is running. */
export async function withSpinner<T>(
  { output }: Context,
  text: string,
  task: () => Promise<T>,
): Promise<T> {
  if (!isShown(output.json)) return task();
  const message = printable(text);
  const { spinner } = await import('@clack/prompts');
  const bar = spinner({ output: process.stderr });
  bar.start(message);
  return finish(bar, message, task);
}

function isShown(json: boolean): boolean {
  return process.stderr.isTTY === true && !json;
}

async function finish<T>(
  bar: { stop: (message: string) => void; error: (message: string) => void },
  message: string,
  task: () => Promise<T>,
): Promise<T> {
  try {
    const result = await task();
    bar.stop(message);
    return result;
  } catch (error) {
    bar.error(message);
    throw error;
  }
}
