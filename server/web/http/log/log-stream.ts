import { destination } from 'pino';

/** About sixty lines. */
const BUFFER_CHARACTERS = 8 * 1024;
/** Maximum delay of a line. */
const FLUSH_MS = 500;

/** Destination of log lines, each with its line feed. */
export type LogStream = {
  write(line: string): void;
  /** For frequent lines that may be delayed. Keeps the order of all lines. @default write */
  writeSoon?(line: string): void;
};

/**
 * Standard output. One write per line would take about as long as the redirect that the line
 * describes, so lines of `writeSoon` are written in batches. A clean exit loses no line; a process
 * that is killed loses at most those of half a second.
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
