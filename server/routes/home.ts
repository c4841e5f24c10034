import type { FastifyInstance } from 'fastify';
import type { Service } from '../core/context.ts';
import { sendPage } from '../pages/send-page.ts';

/** `GET /`: explains what this server is, for people who remove the alias from a short URL. */
export async function homeRoute(app: FastifyInstance, { service }: { service: Service }) {
  app.get('/', async (_request, reply) => {
    const { baseUrl, host } = service.shortDomain();
    return sendPage(reply, 'home', { baseUrl, host });
  });
}
