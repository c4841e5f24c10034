import { type ChildProcess, fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import type { Answer, Order } from './limited-store.ts';

/**
 * A store in its own process with a kernel limit on the size of files: a way to simulate a full disk
 * that needs neither a mount nor root. A write across the limit is truncated, and the next one fails.
 */
export class LimitedStore {
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess) {
    this.#child = child;
  }

  static async open(folder: string): Promise<LimitedStore> {
    const child = fork(new URL('./limited-store.ts', import.meta.url), [folder]);
    onTestFinished(() => {
      child.kill('SIGKILL');
    });
    await once(child, 'message');
    return new LimitedStore(child);
  }

  /** @param bytes maximum size of a file; undefined for no limit */
  limit(bytes: number | undefined): void {
    const limit = `--fsize=${bytes ?? 'unlimited'}:`;
    const { status, error, stderr } = spawnSync('prlimit', ['--pid', `${this.#child.pid}`, limit]);
    if (status !== 0) throw error ?? new Error(`prlimit: ${stderr}`);
  }

  async send(order: Order): Promise<Answer> {
    this.#child.send(order);
    const [answer] = await once(this.#child, 'message');
    return answer;
  }

  async close(): Promise<void> {
    const exited = once(this.#child, 'exit');
    this.#child.disconnect();
    await exited;
  }
}
