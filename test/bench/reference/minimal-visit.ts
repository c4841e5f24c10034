import fastify from 'fastify';

/**
 * A minimal version of visits in Fastify: looks up a map and sends prepared responses. Its argument is the
 * size of a page in bytes.
 */
const [pageBytes = '0'] = process.argv.slice(2);
const PLAIN = 10_000;
const targets = new Map<string, string>();
for (let index = 0; index < PLAIN; index++) {
  targets.set(`plain-${index}`, `https://example.com/${index}/`.padEnd(84, 'p'));
}
const page = '-'.repeat(Number(pageBytes));

const app = fastify();
app.get<{ Params: { alias: string } }>('/:alias', (request, reply) => {
  const target = targets.get(request.params.alias);
  if (target) reply.redirect(target, 302);
  else reply.type('text/html; charset=utf-8').send(page);
});
process.stdout.write(`${await app.listen({ host: '127.0.0.1', port: 0 })}\n`);
