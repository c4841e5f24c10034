import type { FastifyInstance } from 'fastify';
import type { Service } from '../core/context.ts';
import { sendPage } from '../pages/send-page.ts';

/** `GET /`: says what this server is, to whoever cuts a short link back to its host. */
export async function homeRoute(app: FastifyInstance, { service }: { service: Service }) {
  app.get('/', async (_request, reply) => {
    const { baseUrl, host } = service.shortDomain();
    return sendPage(reply, 'home', { baseUrl, host });
  });
}
