import type { FastifyRequest } from 'fastify';

/** The path of the short link that a visit came by: that of another alias may be on another domain. */
export function visitedPath({ params }: Pick<FastifyRequest, 'params'>): string {
  const { alias } = params as { alias: string };
  return `/${alias.replace(/\+$/, '')}`;
}
