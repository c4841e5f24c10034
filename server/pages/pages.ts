import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import view from '@fastify/view';
import { Eta } from 'eta';
import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';

const ASSET_MAX_AGE_MS = 60 * 60 * 1000;
/** Of the style sheet and the mark that the extension has as well. */
const SHARED_FOLDER = join(import.meta.dirname, '../../shared');

/** The first path segments that this plugin serves: none of them can be an alias. */
export const PAGE_SEGMENTS = ['assets', 'favicon.ico', 'favicon.svg', 'robots.txt'];

/** The page templates, as `reply.view()`, and the files that pages load, under `/assets/`. */
export const pages = fp(async (app: FastifyInstance) => {
  // Decorated first, @fastify/view adds no hook that would give every request an object of locals.
  app.decorateReply('locals', null);
  await app.register(view, {
    engine: { eta: new Eta({ autoEscape: true }) },
    templates: join(import.meta.dirname, 'templates'),
    // Each template is read and compiled once.
    production: true,
  });
  await app.register(fastifyStatic, {
    root: join(import.meta.dirname, 'assets'),
    prefix: '/assets/',
    wildcard: false,
    maxAge: ASSET_MAX_AGE_MS,
    setHeaders: (reply) => reply.header('x-content-type-options', 'nosniff'),
  });
  app.get('/assets/tokens.css', (_request, reply) =>
    reply
      .header('x-content-type-options', 'nosniff')
      .sendFile('tokens.css', SHARED_FOLDER, { maxAge: ASSET_MAX_AGE_MS }),
  );
  // Where crawlers and browsers look for them, whatever a page says.
  app.get('/robots.txt', (_request, reply) => reply.sendFile('robots.txt'));
  app.get('/favicon.svg', (_request, reply) => reply.sendFile('icon.svg', SHARED_FOLDER));
  app.get('/favicon.ico', (_request, reply) => reply.redirect('/favicon.svg', 301));
});
