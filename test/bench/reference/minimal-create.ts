import { randomBytes } from 'node:crypto';
import fastify from 'fastify';
import { appendDurably } from './append-durably.ts';

/** A minimal durable create in Fastify: a JSON line. */
const append = await appendDurably(process.argv[2]);
const links = new Map<string, string>();
const app = fastify();
app.post<{ Body: { originalUrl: string } }>('/api/shorten', async (request) => {
  const alias = randomBytes(6).toString('base64url');
  const { originalUrl } = request.body;
  links.set(alias, originalUrl);
  await append(JSON.stringify({ alias, originalUrl }));
  return { alias, originalUrl };
});
process.stdout.write(`${await app.listen({ host: '127.0.0.1', port: 0 })}\n`);
