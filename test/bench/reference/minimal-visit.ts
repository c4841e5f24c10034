import fastify from 'fastify';

/**
 * A minimal version of each kind of visit in Fastify: looks up a map and sends prepared responses. Its
 * argument is the size of a page and of an image in bytes.
 */
const [pageBytes = '0', pictureBytes = '0'] = process.argv.slice(2);
const PLAIN = 10_000;
const targets = new Map<string, string>();
for (let index = 0; index < PLAIN; index++) {
  targets.set(`plain-${index}`, `https://example.com/${index}/`.padEnd(84, 'p'));
}
const page = '-'.repeat(Number(pageBytes));
const picture = Buffer.alloc(Number(pictureBytes));

const app = fastify();
app.get<{ Params: { alias: string } }>('/:alias', (request, reply) => {
  const target = targets.get(request.params.alias);
  if (target) reply.redirect(target, 302);
  else if (request.params.alias === 'page') reply.type('text/html; charset=utf-8').send(page);
  else if (request.params.alias === 'expired') {
    reply.code(410).type('text/html; charset=utf-8').send(page);
  } else reply.code(404).type('text/html; charset=utf-8').send(page);
});
app.get('/:alias/qr.png', (_request, reply) => {
  reply.type('image/png').send(picture);
});
process.stdout.write(`${await app.listen({ host: '127.0.0.1', port: 0 })}\n`);
