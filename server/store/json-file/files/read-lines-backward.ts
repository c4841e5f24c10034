import type { FileHandle } from 'node:fs/promises';

const BLOCK_BYTES = 64 * 1024;
const LINE_FEED = 0x0a;

/** Lines that were read together. */
export type LineBlock = {
  bytes: Buffer;
  /** Where each line is in `bytes`, without its line feed. The last line of the file is the first one. */
  lines: { start: number; end: number }[];
  /** Where `bytes` begins in the file. */
  offset: number;
};

/**
 * Reads the lines of a file from the last one to the first, in blocks, so that the caller can stop as
 * soon as it has enough. Empty lines are left out. The last line may lack its line feed.
 *
 * @param end how many bytes of the file to read
 */
export async function* readLinesBackward(file: FileHandle, end: number): AsyncGenerator<LineBlock> {
  let offset = end;
  /** The end of a line whose beginning is not read yet. */
  let rest: Buffer = Buffer.alloc(0);
  while (offset > 0) {
    // A line longer than a block is not copied for each of its blocks.
    const length = Math.min(offset, Math.max(BLOCK_BYTES, rest.length));
    const bytes = Buffer.allocUnsafe(length + rest.length);
    rest.copy(bytes, length);
    offset -= length;
    await fill(file, bytes.subarray(0, length), offset);
    const firstLineFeed = offset === 0 ? -1 : bytes.subarray(0, length).indexOf(LINE_FEED);
    if (offset > 0 && firstLineFeed === -1) {
      rest = bytes;
      continue;
    }
    yield { bytes, lines: linesFrom(bytes, firstLineFeed + 1), offset };
    rest = bytes.subarray(0, Math.max(0, firstLineFeed));
  }
}

function linesFrom(bytes: Buffer, first: number): LineBlock['lines'] {
  const lines: LineBlock['lines'] = [];
  for (let start = first; start < bytes.length; ) {
    const found = bytes.indexOf(LINE_FEED, start);
    const end = found === -1 ? bytes.length : found;
    if (end > start) lines.push({ start, end });
    start = end + 1;
  }
  return lines.reverse();
}

async function fill(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let filled = 0; filled < bytes.length; ) {
    const { bytesRead } = await file.read(bytes, filled, bytes.length - filled, position + filled);
    if (bytesRead === 0) throw new Error('The file became shorter while it was read.');
    filled += bytesRead;
  }
}
