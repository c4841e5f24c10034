import fastify from 'fastify';

/** The least that Fastify can do for a redirect: one look into a map. */
const aliases: string[] = JSON.parse(process.argv[2] ?? '[]');
const targets = new Map(aliases.map((alias) => [alias, `https://example.com/${alias}`]));
const app = fastify();
app.get<{ Params: { alias: string } }>('/:alias', (request, reply) => {
  reply.redirect(targets.get(request.params.alias) ?? '/', 302);
});
// Whoever started it is gone.
process.on('disconnect', () => process.exit());
process.send?.(await app.listen({ host: '127.0.0.1', port: 0 }));
