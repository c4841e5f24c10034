import { destination } from 'pino';

/** About sixty lines. */
const BUFFER_CHARACTERS = 8 * 1024;
/** How long a line may wait for others. */
const FLUSH_MS = 500;

/** Where log lines go, each with its line feed. */
export type LogStream = {
  write(line: string): void;
  /** For the many lines that nobody waits for. In order with the others. @default write */
  writeSoon?(line: string): void;
};

/**
 * Standard output. A write for each line would take about as long as the redirect that it tells of,
 * so those of `writeSoon` are written many at a time. Nothing is lost where the process ends by
 * itself; one that is killed may lose half a second.
 */
export function standardOutput(): LogStream {
  const stdout = destination({ dest: 1, sync: true });
  let waiting = '';
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (waiting !== '') stdout.write(waiting);
    waiting = '';
  };
  process.once('exit', flush);
  return {
    write(line) {
      flush();
      stdout.write(line);
    },
    writeSoon(line) {
      waiting += line;
      if (waiting.length >= BUFFER_CHARACTERS) flush();
      else timer ??= setTimeout(flush, FLUSH_MS).unref();
    },
  };
}
