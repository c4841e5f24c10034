import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { toStream } from '../../../../../../server/web/http/log/log-output.ts';

const MEBIBYTE = 1024 * 1024;

/** What reads it stops until `read` is called. */
function stoppedReader() {
  let readNext: (() => void) | undefined;
  let isReading = false;
  const texts: string[] = [];
  const stream = new Writable({
    decodeStrings: false,
    write(text, _encoding, done) {
      texts.push(text);
      if (isReading) done();
      else readNext = done;
    },
  });
  const read = () => {
    isReading = true;
    readNext?.();
  };
  return { stream, texts, read };
}

test('a stream that nobody reads keeps a MiB of lines, and what comes after is lost and counted', async () => {
  const { stream, texts, read } = stoppedReader();
  let lost = 0;
  const output = toStream(stream, {
    onError() {},
    onLost: (lines) => {
      lost += lines.length;
    },
    onRoom: () => output.write(`${lost} lost\n`),
  });
  const line = `${'x'.repeat(1023)}\n`;
  for (let count = 0; count < 1030; count++) output.write(line);
  expect(stream.writableLength).toBe(MEBIBYTE);
  expect(lost).toBe(6 * 1024);
  read();
  await output.written();
  expect(texts.join('')).toBe(`${line.repeat(1024)}${6 * 1024} lost\n`);
});
