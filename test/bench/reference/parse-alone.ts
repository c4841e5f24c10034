import { openSync, readSync } from 'node:fs';

/** Parses a file of JSON lines and discards the objects. */
const file = openSync(process.argv[2] ?? '', 'r');
const buffer = Buffer.allocUnsafe(512 * 1024);
const start = performance.now();
const objects: unknown[] = [];
let filled = 0;
for (;;) {
  const read = readSync(file, buffer, filled, 256 * 1024, null);
  if (read === 0) break;
  const end = filled + read;
  let from = 0;
  for (let to = buffer.indexOf(10); to !== -1 && to < end; to = buffer.indexOf(10, from)) {
    objects.push(JSON.parse(buffer.toString('utf8', from, to)));
    from = to + 1;
  }
  buffer.copy(buffer, 0, from, end);
  filled = end - from;
}
process.send?.(performance.now() - start);
