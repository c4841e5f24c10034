import { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import { destination } from 'pino';
import { openNamedPipe } from '../../../lib/named-pipe.ts';

/** Kept while nobody reads them, or the disk is full, and written later. Further lines are lost. */
const UNWRITTEN_MAX_BYTES = 1024 * 1024;

/** Where lines go. Nothing waits for it, apart from a disk. */
export type LogOutput = {
  write(lines: string): void;
  /** Goes on in a new file, after the present one was renamed. */
  reopen(): void;
  /** Resolves once nothing waits to be written. */
  written(): Promise<void>;
};

type Events = {
  onError: (error: Error) => void;
  /** There was no room for these lines. */
  onLost: (lines: string) => void;
  /** There is room again. */
  onRoom: () => void;
};

/**
 * Opens standard output, or a file.
 *
 * @throws if the file can't be opened
 */
export function openOutput(file: string | undefined, events: Events): LogOutput {
  if (file === undefined)
    return isStream(process.stdout) ? toStream(process.stdout, events) : toFile(1, events);
  const fd = openNamedPipe(file);
  if (fd === undefined) return toFile(file, events);
  return toStream(new Socket({ fd, readable: false, writable: true }).unref(), events);
}

/** Whether it is a pipe, a socket or a terminal: someone reads it, or doesn't. */
function isStream(stream: NodeJS.WriteStream): boolean {
  return stream instanceof Socket;
}

/** Of a stream whose reader may stop: a write that waited for it would stop the server. */
export function toStream(stream: Writable, { onError, onLost, onRoom }: Events): LogOutput {
  neverWait(stream);
  stream.on('error', onError).on('drain', onRoom);
  return {
    write(lines) {
      if (stream.writableLength + lines.length > UNWRITTEN_MAX_BYTES) onLost(lines);
      else stream.write(lines);
    },
    reopen() {},
    written: () =>
      new Promise((resolve) => {
        if (stream.writableLength === 0 || stream.destroyed) resolve();
        else stream.once('drain', resolve).once('close', resolve);
      }),
  };
}

/**
 * Node.js waits for terminals, which somebody can stop with Ctrl+S, or leave behind in a connection that hangs. Its
 * documentation has no way to change that; without this one, terminals alone stop the server.
 */
function neverWait(
  stream: Writable & { _handle?: { setBlocking?: (value: boolean) => void } },
): void {
  stream._handle?.setBlocking?.(false);
}

/** @param dest a path, or a file descriptor */
function toFile(dest: string | number, { onError, onLost, onRoom }: Events): LogOutput {
  const output = destination({ dest, sync: true, mkdir: true, maxLength: UNWRITTEN_MAX_BYTES });
  output.on('error', onError);
  output.on('drop', (lines: string) => {
    if (lines === '') return;
    onLost(lines);
    // With a full buffer, only this tries again.
    output.write('');
  });
  output.on('drain', onRoom);
  return {
    write: (lines) => void output.write(lines),
    reopen() {
      try {
        output.reopen();
      } catch {
        // It has reported the error, and goes on with the file that is open.
      }
    },
    written: async () => {},
  };
}
