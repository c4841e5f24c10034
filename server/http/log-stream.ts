import { destination, symbols } from 'pino';

/** About sixty lines. */
const BUFFER_BYTES = 8 * 1024;
/** How long a line may wait for others. */
const FLUSH_MS = 500;
/** pino's number for `warn`. */
const WARN = 40;

/**
 * Standard output for the log, many lines a write: one for each line would take about as long as
 * the redirect that it tells of. A warning or an error is written at once, with all lines before
 * it. Nothing is lost where the process ends by itself; one that is killed may lose half a second.
 */
export function bufferedStdout(): { write(line: string): void } {
  const stdout = destination({ dest: 1, minLength: BUFFER_BYTES, sync: true });
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    stdout.flush();
  };
  process.once('exit', () => {
    try {
      stdout.flushSync();
    } catch {
      // Whoever read the log is gone.
    }
  });
  return {
    // Has pino note here the level of each line.
    [symbols.needsMetadataGsym]: true,
    lastLevel: 0,
    write(line: string) {
      stdout.write(line);
      if (this.lastLevel >= WARN) flush();
      else timer ??= setTimeout(flush, FLUSH_MS).unref();
    },
  } as { lastLevel: number; write(line: string): void };
}
