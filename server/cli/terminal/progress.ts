import type { Context } from '../context.ts';
import { printable } from './printable.ts';

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
