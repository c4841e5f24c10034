import { randomBytes } from 'node:crypto';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import fastify from 'fastify';

/** A minimal durable create in Fastify: a JSON line, with one fdatasync for many lines. */
const file = await open(join(process.argv[2] ?? '', 'links.jsonl'), 'a');
let waiting: { line: string; done: () => void }[] = [];
let isWriting = false;

async function write(): Promise<void> {
  isWriting = true;
  while (waiting.length > 0) {
    const batch = waiting;
    waiting = [];
    await file.write(batch.map(({ line }) => line).join(''));
    await file.datasync();
    for (const { done } of batch) done();
  }
  isWriting = false;
}

const links = new Map<string, string>();
const app = fastify();
app.post<{ Body: { originalUrl: string } }>('/api/shorten', async (request) => {
  const alias = randomBytes(6).toString('base64url');
  const { originalUrl } = request.body;
  links.set(alias, originalUrl);
  await new Promise<void>((done) => {
    waiting.push({ line: `${JSON.stringify({ alias, originalUrl })}\n`, done });
    if (!isWriting) void write();
  });
  return { alias, originalUrl };
});
process.stdout.write(`${await app.listen({ host: '127.0.0.1', port: 0 })}\n`);
